import StrataCore

/// The files in a folder that AsyncStorages has named by their keys, as they were when the folder was opened.
struct NamedFiles: Sendable {
  /// The keys, the one written first at the beginning.
  let keys: [[UInt8]]
  /// The files of each key, the one written last at the beginning: of strings that are equal and have other bytes,
  /// AsyncStorages makes several.
  private let names: [[UInt8]: [String]]

  /// None.
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

  /// The files of a key, the one that counts at the beginning.
  func names(of key: [UInt8]) -> [String] { names[key] ?? [] }

  func contains(_ name: String) -> Bool {
    guard let key = AsyncStoragesFile.key(of: name) else { return false }
    return names[key.canonicalUTF8]?.contains(name) ?? false
  }
}
