import StrataDelegate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension VaultContents {
  /// The service, account and expiry of an entry.
  struct Name {
    let service: String
    let account: String
    /// The seconds since 1970 at which it expires; `nil` for never.
    let date: Double?

    /// The size of the seconds since 1970 as a Float64 (infinity for never), and of the length of the service as a
    /// UInt32. The service and the account follow.
    static let head = 12

    var bytes: [UInt8] {
      var bytes = [UInt8](littleEndian: (date ?? .infinity).bitPattern)
      bytes.append(littleEndian: UInt32(service.utf8.count))
      return bytes + service.utf8 + account.utf8
    }

    /// The bytes that identify the entry: all except the expiry.
    var identity: [UInt8] { Array(bytes.dropFirst(8)) }

    init(service: String, account: String, date: Double?) {
      self.service = service
      self.account = account
      self.date = date
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count >= Self.head else { return nil }
      let date = Double(bitPattern: bytes.number(at: 0))
      let size = Int(bytes.number(at: 8) as UInt32)
      guard !date.isNaN, bytes.count - Self.head >= size else { return nil }
      self.date = date == .infinity ? nil : date
      service = String(decoding: bytes[Self.head..<Self.head + size], as: UTF8.self)
      account = String(decoding: bytes[(Self.head + size)...], as: UTF8.self)
    }
  }

  /// Returns the id of an account's entry.
  func id(of account: String, _ service: String) -> VaultEntryID {
    VaultEntryID(
      bytes: keys.names.hash(Name(service: service, account: account, date: nil).identity))
  }

  func secret(of account: String, _ service: String) throws(StorageError) -> StoredSecret? {
    let id = id(of: account, service)
    guard let entry = entries[id] else { return nil }
    return StoredSecret(value: try value(of: entry, id), date: try name(of: entry, id).date)
  }

  /// Returns the names of all entries, of all services.
  func names() throws(StorageError) -> [(id: VaultEntryID, name: Name)] {
    var names: [(VaultEntryID, Name)] = []
    for id in order {
      if let entry = entries[id] { names.append((id, try name(of: entry, id))) }
    }
    return names
  }

  func name(of entry: Entry, _ id: VaultEntryID) throws(StorageError) -> Name {
    let plain = WipedBytes(max(entry.name.count - VaultBox.overhead, 0))
    let isOpen = bytes.withUnsafeBytes { all in
      VaultBox.open(all.part(entry.name), .name, of: id, with: keys.entries, into: plain.buffer)
    }
    guard isOpen, let name = Name(UnsafeRawBufferPointer(plain.buffer)) else {
      throw VaultHeader.damaged("the name of an entry cannot be read")
    }
    return name
  }

  func value(of entry: Entry, _ id: VaultEntryID) throws(StorageError) -> Data {
    var value = Data(count: max(entry.value.count - VaultBox.overhead, 0))
    let isOpen = bytes.withUnsafeBytes { all in
      value.withUnsafeMutableBytes { value in
        VaultBox.open(all.part(entry.value), .value, of: id, with: keys.entries, into: value)
      }
    }
    guard isOpen else { throw VaultHeader.damaged("an entry cannot be read") }
    return value
  }
}
