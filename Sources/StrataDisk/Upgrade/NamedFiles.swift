import StrataCore

/// The files that AsyncStorages has named by their keys, as listed when the folder was opened.
struct NamedFiles: Sendable {
  /// The keys, from the oldest file to the newest.
  let keys: [[UInt8]]
  /// The files of each key, the newest first. AsyncStorages writes several for strings that are equal but differ in
  /// bytes.
  private let names: [[UInt8]: [String]]

  /// Creates an empty list.
  init() {
    keys = []
    names = [:]
  }

  init(in folder: EntryFolder) throws(SystemError) {
    let found = try folder.filesNewestFirst {
      !EntryName.isEntry($0) && AsyncStoragesFile.key(of: $0) != nil
    }
    var names: [[UInt8]: [String]] = [:]
    var keys: [[UInt8]] = []
    for (name, status) in found where status.isRegular {
      guard let key = AsyncStoragesFile.key(of: name)?.canonicalUTF8 else { continue }
      if names[key] == nil { keys.append(key) }
      names[key, default: []].append(name)
    }
    self.names = names
    self.keys = keys.reversed()
  }

  var isEmpty: Bool { keys.isEmpty }

  /// Returns the files of a key, the one with its current value first.
  func names(of key: [UInt8]) -> [String] { names[key] ?? [] }

  func contains(_ name: String) -> Bool {
    guard let key = AsyncStoragesFile.key(of: name) else { return false }
    return names[key.canonicalUTF8]?.contains(name) ?? false
  }
}
