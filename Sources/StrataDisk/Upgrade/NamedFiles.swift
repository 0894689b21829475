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
    var found: [(key: [UInt8], name: String, modified: Int)] = []
    for name in try folder.names(where: { !EntryName.isEntry($0) }) {
      guard let key = AsyncStoragesFile.key(of: name), let status = try FileStatus(of: folder.path(of: name)),
        status.isRegular
      else { continue }
      found.append((key.canonicalUTF8, name, status.modified))
    }
    var names: [[UInt8]: [String]] = [:]
    for file in found.sorted(by: { $0.modified > $1.modified }) {
      names[file.key, default: []].append(file.name)
    }
    self.names = names
    var keys: [[UInt8]] = []
    for file in found.sorted(by: { $0.modified < $1.modified }) where names[file.key]?.first == file.name {
      keys.append(file.key)
    }
    self.keys = keys
  }

  var isEmpty: Bool { keys.isEmpty }

  /// Returns the files of a key, the one with its current value first.
  func names(of key: [UInt8]) -> [String] { names[key] ?? [] }

  func contains(_ name: String) -> Bool {
    guard let key = AsyncStoragesFile.key(of: name) else { return false }
    return names[key.canonicalUTF8]?.contains(name) ?? false
  }
}
