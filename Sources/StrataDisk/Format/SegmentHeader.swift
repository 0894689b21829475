import StrataCore

/// The first 56 bytes of a segment, one of the files that make up the log. Versions 1 and 2.
///
/// | bytes  | contents                                                                               |
/// |--------|----------------------------------------------------------------------------------------|
/// | 0–7    | magic: `89 53 74 72 4C 6F 67 0A`, that is 0x89, "StrLog", a line feed                  |
/// | 8–11   | version of the format: 2 once the log has had a record of the kind `.parts`, else 1    |
/// | 12–15  | seal: the low 32 bits of the XXH64 of bytes 0–11                                       |
/// | 16–23  | number of the segment, which is its name too                                           |
/// | 24–39  | secret of the folder: the same in all its segments                                     |
/// | 40–47  | seed of the segment's checksums: a random number                                       |
/// | 48–55  | checksum: the XXH64 of bytes 0–47                                                      |
///
/// A program that knows only version 1 would take such a record for damage, and overwrite it. It refuses version 2.
/// Once a segment has version 2, later segments have it too, so that records can be moved to them.
struct SegmentHeader: Equatable, Sendable {
  static let size = 56
  /// The newest version.
  static let version: UInt32 = 2
  private static let magic: [UInt8] = [0x89, 0x53, 0x74, 0x72, 0x4C, 0x6F, 0x67, 0x0A]

  let number: Int
  let secret: Secret
  let seed: UInt64
  let version: UInt32

  init(number: Int, secret: Secret, seed: UInt64 = .random(in: .min ... .max), version: UInt32 = 1) {
    self.number = number
    self.secret = secret
    self.seed = seed
    self.version = version
  }

  var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.reserveCapacity(Self.size)
    bytes.append(littleEndian: version)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: bytes.withUnsafeBytes { XXH64.hash($0) }))
    bytes.append(littleEndian: UInt64(number))
    bytes.append(littleEndian: secret.low)
    bytes.append(littleEndian: secret.high)
    bytes.append(littleEndian: seed)
    bytes.append(littleEndian: bytes.withUnsafeBytes { XXH64.hash($0) })
    return bytes
  }

  /// Reads and verifies a header.
  init(_ bytes: UnsafeRawBufferPointer) throws(EntryFlaw) {
    guard bytes.count >= 16 else { throw .damaged("it is only \(bytes.count) bytes long") }
    guard bytes.prefix(8).elementsEqual(Self.magic) else {
      throw .damaged("it does not begin like a segment of Strata")
    }
    guard bytes.number(at: 12) == UInt32(truncatingIfNeeded: XXH64.hash(bytes.part(0..<12))) else {
      throw .damaged("the seal of its version does not match")
    }
    let version: UInt32 = bytes.number(at: 8)
    if version > Self.version { throw .newer(version) }
    guard bytes.count >= Self.size, bytes.number(at: 48) == XXH64.hash(bytes.part(0..<48)),
      let number = Int(exactly: bytes.number(at: 16) as UInt64)
    else { throw .damaged("the checksum of its header does not match") }
    self.number = number
    self.version = version
    secret = Secret(low: bytes.number(at: 24), high: bytes.number(at: 32))
    seed = bytes.number(at: 40)
  }
}
