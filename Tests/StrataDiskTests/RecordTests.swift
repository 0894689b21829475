#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

@testable import StrataDisk

struct RecordTests {
  static func encoded(
    key: String, value: [UInt8], expiry: Expiry = .never, kind: Record.Kind = .value, seed: UInt64 = 7
  ) -> [UInt8] {
    let key = Array(key.utf8)
    let record = Record(kind: kind, keyLength: key.count, valueLength: value.count, expiry: expiry)
    return [UInt8](unsafeUninitializedCapacity: record.length) { buffer, count in
      key.withUnsafeBytes { key in
        value.withUnsafeBytes { value in
          record.encode(into: UnsafeMutableRawBufferPointer(buffer), key: key, value: value, seed: seed)
        }
      }
      count = record.length
    }
  }

  private static func decoded(_ bytes: [UInt8], seed: UInt64 = 7) -> Record? {
    bytes.withUnsafeBytes { Record($0, seed: seed) }
  }

  /// If this test fails, the format has changed, and users' existing logs can no longer be read: a changed format needs
  /// a new version number.
  @Test func goldenBytes() {
    let bytes = Self.encoded(
      key: "ключ", value: [0, 1, 2, 255], expiry: .date(Date(timeIntervalSinceReferenceDate: 700_000_000.125))
    )
    let lengths: [UInt8] = [8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]
    #expect(Array(bytes[12..<28]) == [0xD5, 0x52, 1, 0x81] + lengths)
    #expect(Array(bytes[28..<36]) == [0x00, 0x00, 0x10, 0x80, 0x93, 0xDC, 0xC4, 0x41])
    #expect(Array(bytes[36..<44]) == Array("ключ".utf8))
    #expect(Array(bytes[44...]) == [0, 1, 2, 255])
    let head = bytes[12..<44].withUnsafeBytes { XXH64.hash($0, seed: 7) }
    let checksum = bytes[44..<48].withUnsafeBytes { XXH64.hash($0, seed: head) }
    #expect(bytes.withUnsafeBytes { $0.number(at: 0) } == checksum)
    #expect(bytes.withUnsafeBytes { $0.number(at: 8) } == UInt32(truncatingIfNeeded: head))
  }

  @Test(arguments: [(0, 0), (1, 0), (0, 1), (8, 8), (5, 100), (300, 5000), (10, 3_000_000)])
  func itComesBack(_ keyLength: Int, _ valueLength: Int) throws {
    let value = Array(bytes(valueLength))
    let expiry = Expiry.date(Date(timeIntervalSinceReferenceDate: -0.1))
    let encoded = Self.encoded(key: String(repeating: "k", count: keyLength), value: value, expiry: expiry)
    let record = try #require(Self.decoded(encoded))
    #expect(record.length == encoded.count)
    #expect(record.expiry == expiry)
    #expect(Array(encoded[record.valueRange]) == value)
    #expect(encoded.count % 8 == 0)
    let location = Location(segment: 524_287, offset: 134_217_720, length: record.length, isFile: true)
    #expect(location.length == record.length)
    #expect(
      location.segment == 524_287 && location.offset == 134_217_720 && location.isFile && !location.isMarked)
  }

  @Test func everyFlippedBitIsSeen() {
    let good = Self.encoded(key: "key", value: Array("the value".utf8))
    // The 36 + 3 + 9 bytes need no padding, which the checksums would not cover.
    #expect(good.count == 48)
    for bit in 0..<good.count * 8 {
      var bad = good
      bad[bit / 8] ^= 1 << (bit % 8)
      #expect(Self.decoded(bad) == nil, "bit \(bit)")
    }
  }

  @Test func everyShorterLengthAndEveryOtherPlaceIsSeen() {
    let good = Self.encoded(key: "key", value: Array("the value".utf8))
    for count in 0..<good.count { #expect(Self.decoded(Array(good.prefix(count))) == nil) }
    #expect(Self.decoded(good, seed: 8) == nil)
    #expect(Self.decoded(good + [1, 2, 3]) != nil)
  }

  @Test(arguments: [15: UInt8(0), 14: 2, 12: 0])
  func whatIsNotOfThisVersionIsNoRecord(_ byte: Int, _ value: UInt8) {
    var bytes = Self.encoded(key: "key", value: [])
    bytes[byte] = value
    #expect(bytes.withUnsafeBytes { Record(fields: $0) } == nil)
  }

  @Test func aSegmentsHeaderComesBackAndEveryFlippedBitIsSeen() throws {
    let header = SegmentHeader(number: 12_345, secret: .random())
    #expect(header.bytes.count == SegmentHeader.size)
    #expect(try header.bytes.withUnsafeBytes { try SegmentHeader($0) } == header)
    for bit in 0..<header.bytes.count * 8 {
      var bad = header.bytes
      bad[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: EntryFlaw.self) { try bad.withUnsafeBytes { try SegmentHeader($0) } }
    }
  }

  @Test func fingerprintsDependOnTheSecret() {
    let secrets = [Secret(low: 1, high: 2), Secret(low: 1, high: 3), Secret(low: 2, high: 2)]
    var seen: Set<Fingerprint> = []
    for secret in secrets {
      for count in 0..<40 {
        let message = [UInt8](repeating: 0, count: count)
        seen.insert(message.withUnsafeBytes { secret.fingerprint(of: $0) })
      }
    }
    #expect(seen.count == 120)
  }
}
