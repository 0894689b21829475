#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The first 64 bytes of an entry's file: the file format, versions 1 to 3.
///
/// A file holds one entry: this header, then the key, then the value, and nothing after it. All numbers are unsigned
/// and little-endian.
///
/// | bytes  | contents                                                                                          |
/// |--------|---------------------------------------------------------------------------------------------------|
/// | 0–7    | magic: `89 53 74 72 61 74 61 0A`, that is 0x89, "Strata", a line feed                             |
/// | 8–11   | version of the format: 2 if the value has 4096 bytes or more, 1 if it has fewer; 3 for a stream   |
/// | 12–15  | seal: the low 32 bits of the XXH64 of bytes 0–11                                                  |
/// | 16–23  | flags: bit 0, the entry expires; all other bits are 0                                             |
/// | 24–31  | K, the length of the key in bytes                                                                 |
/// | 32–39  | V, the length of the value in bytes                                                               |
/// | 40–47  | expiry: the bits of an IEEE double, seconds since 2001-01-01 00:00 UTC; 0 if it never expires     |
/// | 48–55  | checksum of the value: with version 1 its XXH64, with version 2 its XXH3, with version 3 either   |
/// | 56–63  | checksum of the head: the XXH64 of the key, seeded with the XXH64 of bytes 0–55                   |
/// | 64–    | K bytes: the key's text in UTF-8, in Unicode's normalisation form C                               |
/// | 64+K–  | V bytes: the value                                                                                |
///
/// Every seed that is not named is 0. Every bit of the file is covered. The head has its own checksum, so that it can
/// be trusted without reading the value; the head contains the checksum of the value.
///
/// With version 3 the value is a `PartTable`. It names the file that contains the value, which was written as a stream,
/// and has the checksums of its parts. Its own checksum is XXH3 if it has 4096 bytes or more.
///
/// Earlier releases wrote version 1 for values of any length, so it is read for all lengths.
///
/// Bytes 0–15 are the same in all future versions. The seal lets a flipped bit in the version be detected as damage and
/// not mistaken for a newer format.
struct EntryHeader: Equatable {
  static let size = 64
  /// The newest version.
  static let version: UInt32 = 3
  /// The length from which a value's checksum is XXH3, which is faster for long inputs.
  private static let longValue = 4096
  private static let magic: [UInt8] = [0x89, 0x53, 0x74, 0x72, 0x61, 0x74, 0x61, 0x0A]
  private static let expires: UInt64 = 1

  /// `.never` or a date. A date is read with the same bits as it was written.
  let expiry: Expiry
  let keyLength: Int
  let valueLength: Int
  /// Whether the value is a `PartTable`.
  let namesParts: Bool
  private let hasLongValue: Bool
  private let valueChecksum: UInt64
  private let headChecksum: UInt64
  /// The hash of bytes 0–55, which seeds the hash of the key.
  private let fieldsHash: UInt64

  /// The length of the file.
  var fileSize: Int { Self.size + keyLength + valueLength }

  /// Throws unless the header is sound and the bytes are its key.
  func check(key: UnsafeRawBufferPointer) throws(EntryFlaw) {
    if XXH64.hash(key, seed: fieldsHash) != headChecksum {
      throw .damaged("the checksum of its header and key does not match")
    }
  }

  /// Throws unless the bytes are the value.
  func check(value: UnsafeRawBufferPointer) throws(EntryFlaw) {
    try check(valueHash: hasLongValue ? XXH3.hash(value) : XXH64.hash(value))
  }

  /// Throws unless the hash is the value's.
  private func check(valueHash: UInt64) throws(EntryFlaw) {
    if valueHash != valueChecksum { throw .damaged("the checksum of its value does not match") }
  }

  /// Reads the value in pieces, and verifies it. `read` gets the memory of a piece and the piece's offset in the value.
  func readValue<E: Error>(
    into buffer: UnsafeMutableRawBufferPointer, from start: Int,
    _ read: (UnsafeMutableRawBufferPointer, Int) throws(E) -> Void
  ) throws {
    let value = UnsafeRawBufferPointer(buffer)
    guard hasLongValue else {
      try read(buffer.part(start...), start)
      return try check(value: value)
    }
    // Hashes each piece while it is in the processor's cache: loading it again would take longer than hashing it.
    let piece = 1 << 19
    var hash = XXH3(of: value)
    var offset = start
    while offset < buffer.count {
      let end = min(offset + piece, buffer.count)
      try read(buffer.part(offset..<end), offset)
      hash.absorb(upTo: end)
      offset = end
    }
    try check(valueHash: hash.finish())
  }
}

extension EntryHeader {
  /// Returns the bytes of a header and its key, which the value follows in the file.
  ///
  /// The expiry must be a date or `.never`: `.seconds` is relative to an unknown moment.
  ///
  /// - Parameter namesParts: Whether the value is a `PartTable`.
  static func head(
    key: [UInt8], value: UnsafeRawBufferPointer, expiry: Expiry, namesParts: Bool = false
  ) -> [UInt8] {
    var head: [UInt8] = []
    head.reserveCapacity(size + key.count)
    head.append(contentsOf: magic)
    let isLong = value.count >= longValue
    head.append(littleEndian: namesParts ? version : isLong ? 2 : 1)
    head.append(littleEndian: UInt32(truncatingIfNeeded: head.withUnsafeBytes { XXH64.hash($0) }))
    let deadline = expiry.storedBits
    head.append(littleEndian: deadline == nil ? 0 : expires)
    head.append(littleEndian: UInt64(key.count))
    head.append(littleEndian: UInt64(value.count))
    head.append(littleEndian: deadline ?? 0)
    head.append(littleEndian: isLong ? XXH3.hash(value) : XXH64.hash(value))
    let fieldsHash = head.withUnsafeBytes { XXH64.hash($0) }
    head.append(littleEndian: key.withUnsafeBytes { XXH64.hash($0, seed: fieldsHash) })
    head.append(contentsOf: key)
    return head
  }

  /// Reads a header from the first bytes of a file of the given length. Does not check the key.
  init(_ bytes: UnsafeRawBufferPointer, fileSize: Int) throws(EntryFlaw) {
    guard bytes.count >= 16 else { throw .damaged("it is only \(fileSize) bytes long") }
    guard bytes.prefix(8).elementsEqual(Self.magic) else {
      throw .damaged("it does not begin like an entry of Strata")
    }
    let version: UInt32 = bytes.number(at: 8)
    let seal: UInt32 = bytes.number(at: 12)
    guard seal == UInt32(truncatingIfNeeded: XXH64.hash(bytes.part(..<12))) else {
      throw .damaged("the seal of its version does not match")
    }
    if version > Self.version { throw .newer(version) }
    guard version > 0 else { throw .damaged("its format version, \(version), does not exist") }
    guard bytes.count >= Self.size else { throw .damaged("it is only \(fileSize) bytes long") }
    try self.init(fields: bytes, version)
    guard fileSize == self.fileSize else {
      throw .damaged("it is \(fileSize) bytes long, and its header says \(self.fileSize)")
    }
  }

  private init(fields bytes: UnsafeRawBufferPointer, _ version: UInt32) throws(EntryFlaw) {
    let flags: UInt64 = bytes.number(at: 16)
    let keyLength: UInt64 = bytes.number(at: 24)
    let valueLength: UInt64 = bytes.number(at: 32)
    let deadline: UInt64 = bytes.number(at: 40)
    guard flags == Self.expires || (flags == 0 && deadline == 0) else {
      throw .damaged("its flags are unknown")
    }
    // A bound far below any overflow, and far above any file's length.
    guard keyLength < 1 << 60, valueLength < 1 << 60 else { throw .damaged("its lengths are impossible") }
    guard version != 2 || valueLength >= Self.longValue else {
      throw .damaged("its format version is used only for long values")
    }
    namesParts = version == 3
    hasLongValue = version > 1 && valueLength >= Self.longValue
    self.keyLength = Int(keyLength)
    self.valueLength = Int(valueLength)
    expiry = Expiry(storedBits: flags == 0 ? nil : deadline)
    valueChecksum = bytes.number(at: 48)
    headChecksum = bytes.number(at: 56)
    fieldsHash = XXH64.hash(bytes.part(..<56))
  }
}

extension Expiry {
  /// The bits of an expiry in a file: an IEEE double, seconds since 2001-01-01 00:00 UTC; `nil` if it never expires.
  var storedBits: UInt64? {
    switch self {
    case .never: nil
    case .date(let date): date.timeIntervalSinceReferenceDate.bitPattern
    case .seconds: preconditionFailure("an expiry in seconds must be resolved to a date before it is kept")
    }
  }

  init(storedBits: UInt64?) {
    self = storedBits.map { .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0))) } ?? .never
  }
}
