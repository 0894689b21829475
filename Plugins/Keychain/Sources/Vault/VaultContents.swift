import StrataSodium

/// The identifier of an entry: a hash of its name, which cannot be computed without the vault's key.
struct VaultEntryID: Hashable {
  let bytes: [UInt8]
}

/// A vault in memory, encrypted as in its file: names and values are decrypted only on access.
struct VaultContents: Sendable {
  /// The position of an entry: its id, the lengths of its boxes, then the boxes.
  struct Entry: Sendable {
    let range: Range<Int>
    let name: Range<Int>
    let value: Range<Int>
  }

  static let entryHead = 40
  static let tagSize = 32

  let header: VaultHeader
  let keys: VaultKeys
  /// The complete file.
  let bytes: [UInt8]
  /// The order of the entries in the file.
  let order: [VaultEntryID]
  let entries: [VaultEntryID: Entry]

  /// Reads a file whose header these keys have authenticated.
  init(_ bytes: [UInt8], header: VaultHeader, keys: VaultKeys) throws(StorageError) {
    let end = bytes.count - Self.tagSize
    guard end >= VaultHeader.size else { throw VaultHeader.damaged("it is truncated") }
    let isWhole = bytes.withUnsafeBytes { all in
      keys.file.isHash(bytes[end...], of: all.part(..<end))
    }
    guard isWhole else { throw VaultHeader.damaged("the bytes have changed since the file was written") }
    var entries: [VaultEntryID: Entry] = [:]
    var order: [VaultEntryID] = []
    var offset = VaultHeader.size
    while offset < end {
      guard end - offset >= Self.entryHead else { throw VaultHeader.damaged("an entry is truncated") }
      let (nameSize, valueSize) = bytes.withUnsafeBytes { all in
        (Int(all.number(at: offset + 32) as UInt32), Int(all.number(at: offset + 36) as UInt32))
      }
      let name = offset + Self.entryHead
      guard end - name >= nameSize + valueSize else { throw VaultHeader.damaged("an entry is truncated") }
      let id = VaultEntryID(bytes: Array(bytes[offset..<offset + 32]))
      let next = name + nameSize + valueSize
      entries[id] = Entry(
        range: offset..<next, name: name..<name + nameSize, value: name + nameSize..<next)
      order.append(id)
      offset = next
    }
    guard entries.count == order.count else { throw VaultHeader.damaged("an entry occurs twice") }
    self.header = header
    self.keys = keys
    self.bytes = bytes
    self.order = order
    self.entries = entries
  }
}
