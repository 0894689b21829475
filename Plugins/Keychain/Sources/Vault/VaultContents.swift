import StrataCore
import StrataSodium

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a name is in a vault: a hash that only the vault's key can make.
struct VaultEntryID: Hashable {
  let bytes: [UInt8]
}

/// A vault in memory, encrypted as in its file: only what is asked for is decrypted, when it is.
struct VaultContents: Sendable {
  /// Where an entry is: its boxes, which follow its id and their lengths.
  struct Entry: Sendable {
    let range: Range<Int>
    let name: Range<Int>
    let value: Range<Int>
  }

  static let entryHead = 40
  static let tagSize = 32

  let header: VaultHeader
  let keys: VaultKeys
  /// The whole file.
  let bytes: [UInt8]
  /// In the order of the file.
  let order: [VaultEntryID]
  let entries: [VaultEntryID: Entry]

  /// Reads a file whose header was found authentic by these keys.
  init(_ bytes: [UInt8], header: VaultHeader, keys: VaultKeys) throws(StorageError) {
    let end = bytes.count - Self.tagSize
    guard end >= VaultHeader.size else { throw VaultHeader.damaged("it is cut off") }
    let isWhole = bytes.withUnsafeBytes { all in
      keys.file.isHash(bytes[end...], of: UnsafeRawBufferPointer(rebasing: all[..<end]))
    }
    guard isWhole else { throw VaultHeader.damaged("its bytes are not those that were written") }
    var entries: [VaultEntryID: Entry] = [:]
    var order: [VaultEntryID] = []
    var offset = VaultHeader.size
    while offset < end {
      guard end - offset >= Self.entryHead else { throw VaultHeader.damaged("an entry is cut off") }
      let (nameSize, valueSize) = bytes.withUnsafeBytes { all in
        (
          Int(UInt32(littleEndian: all.loadUnaligned(fromByteOffset: offset + 32, as: UInt32.self))),
          Int(UInt32(littleEndian: all.loadUnaligned(fromByteOffset: offset + 36, as: UInt32.self)))
        )
      }
      let name = offset + Self.entryHead
      guard end - name >= nameSize + valueSize else { throw VaultHeader.damaged("an entry is cut off") }
      let id = VaultEntryID(bytes: Array(bytes[offset..<offset + 32]))
      let next = name + nameSize + valueSize
      entries[id] = Entry(
        range: offset..<next, name: name..<name + nameSize, value: name + nameSize..<next)
      order.append(id)
      offset = next
    }
    guard entries.count == order.count else { throw VaultHeader.damaged("an entry is there twice") }
    self.header = header
    self.keys = keys
    self.bytes = bytes
    self.order = order
    self.entries = entries
  }
}
