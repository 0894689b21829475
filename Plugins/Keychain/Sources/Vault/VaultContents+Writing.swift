import StrataDelegate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension VaultContents {
  /// Creates a vault without entries, with new keys.
  init(of key: VaultKey) throws {
    let header = try VaultHeader(of: key)
    let keys = try key.keys(salt: header.salt, cost: header.cost)
    try self.init(entries: [], header: header, keys: keys)
  }

  private init(entries: [UInt8], header: VaultHeader, keys: VaultKeys) throws {
    var bytes = header.bytes(keys)
    bytes.append(contentsOf: entries)
    bytes.append(contentsOf: keys.file.hash(bytes))
    try self.init(bytes, header: header, keys: keys)
  }

  /// Returns the vault with secrets replaced. A `nil` value removes its secret.
  func replacing(_ secrets: [(account: String, value: Data?)], until date: Double?, of service: String) throws
    -> VaultContents
  {
    let changes = secrets.map { (id: id(of: $0.account, service), account: $0.account, value: $0.value) }
    var entries = self.rest(without: Set(changes.map(\.id)))
    for change in changes {
      guard let value = change.value else { continue }
      try Self.append(
        value, Name(service: service, account: change.account, date: date), change.id, keys, to: &entries)
    }
    return try VaultContents(entries: entries, header: header.rewritten(), keys: keys)
  }

  /// Returns the vault without some entries.
  func removing(_ ids: Set<VaultEntryID>) throws -> VaultContents {
    try VaultContents(entries: rest(without: ids), header: header.rewritten(), keys: keys)
  }

  /// Returns the same secrets in a vault with another key. All of them are encrypted again.
  func relocked(with key: VaultKey) throws -> VaultContents {
    let empty = try VaultContents(of: key)
    var entries: [UInt8] = []
    for (id, name) in try names() {
      guard let entry = self.entries[id] else { continue }
      var value = try value(of: entry, id)
      defer { value.withUnsafeMutableBytes { WipedBytes.wipe($0) } }
      try Self.append(value, name, empty.id(of: name.account, name.service), empty.keys, to: &entries)
    }
    return try VaultContents(entries: entries, header: empty.header, keys: empty.keys)
  }

  /// Returns the bytes of the entries that stay, unchanged.
  private func rest(without ids: Set<VaultEntryID>) -> [UInt8] {
    var rest: [UInt8] = []
    rest.reserveCapacity(bytes.count)
    for id in order where !ids.contains(id) {
      if let entry = entries[id] { rest.append(contentsOf: bytes[entry.range]) }
    }
    return rest
  }

  private static func append(
    _ value: Data, _ name: Name, _ id: VaultEntryID, _ keys: VaultKeys, to entries: inout [UInt8]
  ) throws(StorageError) {
    let plainName = name.bytes
    guard let nameSize = UInt32(exactly: plainName.count + VaultBox.overhead),
      let valueSize = UInt32(exactly: value.count + VaultBox.overhead)
    else { throw .tooLarge.with("a secret in a vault must be smaller than 4 GiB") }
    entries.append(contentsOf: id.bytes)
    for size in [nameSize, valueSize] { entries.append(littleEndian: size) }
    plainName.withUnsafeBytes {
      VaultBox.seal($0, .name, of: id, with: keys.entries, to: &entries)
    }
    value.withUnsafeBytes { VaultBox.seal($0, .value, of: id, with: keys.entries, to: &entries) }
  }
}
