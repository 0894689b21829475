#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder as AsyncStorages 0.1.0 writes it. `DiskStorage.folder(_:in:)` creates the folder, with one file per key.
/// Its name is the Base64 of the key's UTF-8 with `-` and `_` in place of `+` and `/`, and with padding. It contains
/// the bytes of the value.
///
/// AsyncStorages itself has given the names below to the keys on Linux.
enum AsyncStoragesFolder {
  static let files: [(key: String, name: String)] = [
    ("kharkiv", "a2hhcmtpdg=="), ("a+b/c", "YStiL2M="), ("lviv?", "bHZpdj8="), ("~~~", "fn5-"),
    ("???", "Pz8_"),
    ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj"), (" ", "IA=="), ("..", "Li4="), ("/", "Lw=="),
    ("ünï.cödé", "w7xuw68uY8O2ZMOp"), ("ключ", "0LrQu9GO0Yc="),
    ("https://example.com/a.png", "aHR0cHM6Ly9leGFtcGxlLmNvbS9hLnBuZw=="),
    ("line\nline", "bGluZQpsaW5l"),
  ]

  static func write(to folder: URL, value: (String) -> Data = { Data($0.utf8) }) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in files { try value(file.key).write(to: folder.appending(path: file.name)) }
  }
}
