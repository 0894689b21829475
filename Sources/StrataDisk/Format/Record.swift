import StrataCore

/// A record of the log: a value stored under a key, or a removal. Version 1.
///
/// All numbers are unsigned and little-endian.
///
/// | bytes  | contents                                                                                          |
/// |--------|---------------------------------------------------------------------------------------------------|
/// | 0–7    | checksum: the XXH64 of the value, seeded with the hash of the head                                 |
/// | 8–11   | checksum of the head: the low 32 bits of its hash, the XXH64 of bytes 12–35 and the key, seeded    |
/// |        | with the segment's seed plus the record's offset                                                   |
/// | 12–13  | magic: `D5 52`                                                                                    |
/// | 14     | version: 1                                                                                        |
/// | 15     | bits 0–3 the kind; bit 6, more records of the batch follow; bit 7, the entry expires              |
/// | 16–19  | K, the length of the key in bytes                                                                 |
/// | 20–23  | V, the length of the value in bytes                                                               |
/// | 24–27  | distance to the beginning of its batch, in units of 8 bytes                                       |
/// | 28–35  | expiry: the bits of an IEEE double, seconds since 2001-01-01 00:00 UTC; 0 if it never expires     |
/// | 36–    | K bytes: the key's text in UTF-8, in Unicode's normalisation form C                               |
/// | 36+K–  | V bytes: the value                                                                                |
/// | –      | zeros up to the record's length: the next multiple of 8, or beyond 2 MiB of 512                   |
///
/// The head has a checksum of its own, so that the key of a damaged value is known: the key's older value must not
/// become live again. The seed ties a record to its location: bytes that a file system or a person has moved are not a
/// record any more.
struct Record: Equatable {
  static let headerSize = 36
  static let version: UInt8 = 1
  static let magic: UInt16 = 0x52D5

  enum Kind: UInt8, Sendable {
    /// The value is stored in the record.
    case value = 1
    /// The value is stored in a file of its own: the record's value is the file's number and its length, 8 bytes each.
    case file = 2
    /// The removal of the key.
    case removal = 3
    /// The table of contents at the end of a full segment.
    case contents = 4
    /// Bytes that were damaged and have been copied to `Damaged`.
    case void = 5
    /// The value is a file of its own, without a header: the record's value is a `PartTable`. Only in segments of
    /// version 2, which a reader that does not know this kind refuses.
    case parts = 6

    /// Whether the value is in a file of its own.
    var namesFile: Bool { self == .file || self == .parts }
    /// The least version of a segment that may contain the record.
    var segmentVersion: UInt32 { self == .parts ? 2 : 1 }
  }

  var kind: Kind
  var keyLength: Int
  var valueLength: Int
  var expiry: Expiry
  /// The bytes from the beginning of its batch; 0 for the first record, and for a record without a batch.
  var batchOffset = 0
  var batchContinues = false

  /// The bytes that it takes in the log.
  var length: Int { Self.length(Self.headerSize + keyLength + valueLength) }
  var keyRange: Range<Int> { Self.headerSize..<Self.headerSize + keyLength }
  var valueRange: Range<Int> { keyRange.upperBound..<keyRange.upperBound + valueLength }

  static func length(_ bytes: Int) -> Int { bytes <= 1 << 21 ? (bytes + 7) & ~7 : (bytes + 511) & ~511 }
}

extension Record {
  private static let continues: UInt8 = 0x40
  private static let expires: UInt8 = 0x80

  /// Writes the record to `target`, which has the record's length.
  func encode(
    into target: UnsafeMutableRawBufferPointer, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer,
    seed: UInt64
  ) {
    put(into: target, key: key, value: value)
    seal(target, seed: seed)
  }

  /// Writes the record without the checksums, which depend on its location.
  func put(
    into target: UnsafeMutableRawBufferPointer, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) {
    var flags = kind.rawValue
    if batchContinues { flags |= Self.continues }
    let deadline = expiry.storedBits
    if deadline != nil { flags |= Self.expires }
    target.put(Self.magic, at: 12)
    target.put(Self.version, at: 14)
    target.put(flags, at: 15)
    target.put(UInt32(keyLength), at: 16)
    target.put(UInt32(valueLength), at: 20)
    target.put(UInt32(batchOffset / 8), at: 24)
    target.put(deadline ?? 0, at: 28)
    target.part(keyRange).copyMemory(from: key)
    target.part(valueRange).copyMemory(from: value)
    target.part(valueRange.upperBound..<length).initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Turns consecutive records into a batch at an offset of a segment.
  ///
  /// - Parameters:
  ///   - records: The records from another location, or as `put` writes them.
  ///   - seed: The seed of the segment plus the offset.
  static func sealBatch(_ records: UnsafeMutableRawBufferPointer, seed: UInt64) {
    var offset = 0
    while offset < records.count, let record = Record(fields: .init(records).part(offset...)) {
      let end = offset + record.length
      let target = records.part(offset..<end)
      target[15] = end < records.count ? target[15] | continues : target[15] & ~continues
      target.put(UInt32(offset / 8), at: 24)
      record.seal(target, seed: seed &+ UInt64(offset))
      offset = end
    }
  }

  /// Writes the checksums of a record that is otherwise complete.
  private func seal(_ target: UnsafeMutableRawBufferPointer, seed: UInt64) {
    let bytes = UnsafeRawBufferPointer(target)
    let head = Self.hash(ofHead: bytes.part(0..<keyRange.upperBound), seed: seed)
    target.put(UInt32(truncatingIfNeeded: head), at: 8)
    target.put(XXH64.hash(bytes.part(valueRange), seed: head), at: 0)
  }

  /// Reads the fields of a record; `nil` if their values are impossible. Does not check the checksums.
  init?(fields bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headerSize, bytes.number(at: 12) == Self.magic, bytes[14] == Self.version else {
      return nil
    }
    let flags = bytes[15]
    guard let kind = Kind(rawValue: flags & 0x0F), flags & 0x30 == 0 else { return nil }
    let deadline: UInt64 = bytes.number(at: 28)
    self.kind = kind
    keyLength = Int(bytes.number(at: 16) as UInt32)
    valueLength = Int(bytes.number(at: 20) as UInt32)
    batchOffset = Int(bytes.number(at: 24) as UInt32) * 8
    batchContinues = flags & Self.continues != 0
    expiry = Expiry(storedBits: flags & Self.expires == 0 ? nil : deadline)
  }

  /// Reads and verifies the record at the beginning of some bytes; `nil` if there is none.
  init?(_ bytes: UnsafeRawBufferPointer, seed: UInt64) {
    guard let record = Record(fields: bytes), record.length <= bytes.count,
      record.isSound(head: bytes, value: bytes.part(record.valueRange), seed: seed)
    else { return nil }
    self = record
  }

  /// Reads and verifies the head of the record at the beginning of some bytes; `nil` if there is none.
  init?(head bytes: UnsafeRawBufferPointer, seed: UInt64) {
    guard let record = Record(fields: bytes), record.keyRange.upperBound <= bytes.count,
      record.soundHash(ofHead: bytes, seed: seed) != nil
    else { return nil }
    self = record
  }

  /// Returns the hash of the head and the key at the beginning of some bytes; `nil` if the head's checksum does not
  /// match.
  func soundHash(ofHead head: UnsafeRawBufferPointer, seed: UInt64) -> UInt64? {
    let hash = Self.hash(ofHead: head.part(0..<keyRange.upperBound), seed: seed)
    return head.number(at: 8) == UInt32(truncatingIfNeeded: hash) ? hash : nil
  }

  /// Returns whether a head and a value, which may be in two buffers, belong to the record.
  func isSound(head: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, seed: UInt64) -> Bool {
    soundHash(ofHead: head, seed: seed).map { isSound(value: value, head: head, hash: $0) } ?? false
  }

  /// Returns whether a value matches the checksum in a head with the given hash.
  func isSound(value: UnsafeRawBufferPointer, head: UnsafeRawBufferPointer, hash: UInt64) -> Bool {
    head.number(at: 0) == XXH64.hash(value, seed: hash)
  }

  private static func hash(ofHead head: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    XXH64.hash(head.part(12...), seed: seed)
  }
}
