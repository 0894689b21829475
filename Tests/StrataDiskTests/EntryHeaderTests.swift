#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

@testable import StrataDisk

struct EntryHeaderTests {
  private static let sample = file(
    key: "ключ", value: text("value"), expiry: .date(.init(timeIntervalSince1970: 1)))

  private static func file(key: String, value: Data, expiry: Expiry) -> [UInt8] {
    value.withUnsafeBytes { EntryHeader.head(key: Array(key.utf8), value: $0, expiry: expiry) } + value
  }

  /// Reads a file's bytes like a store, or throws a flaw.
  private static func read(_ file: [UInt8]) throws(EntryFlaw) -> (
    key: [UInt8], value: [UInt8], expiry: Expiry
  ) {
    let result = file.withUnsafeBytes { bytes in
      Result { () throws(EntryFlaw) in
        let header = try EntryHeader(bytes, fileSize: bytes.count)
        let key = bytes[EntryHeader.size...].prefix(header.keyLength)
        let value = bytes[EntryHeader.size...].dropFirst(header.keyLength)
        try header.check(key: .init(rebasing: key))
        try header.check(value: .init(rebasing: value))
        return (Array(key), Array(value), header.expiry)
      }
    }
    return try result.get()
  }

  /// Files created by another program, from the table in the documentation and with libxxhash. If this fails, the
  /// format has changed, and users' existing files can no longer be read: it needs a new version number.
  @Test(arguments: [
    (
      "ключ", Data([0, 1, 2]) + text("value") + Data([255]),
      Expiry.date(Date(timeIntervalSinceReferenceDate: 700_000_000.125)),
      """
      895374726174610a01000000fd375712\
      01000000000000000800000000000000\
      09000000000000000000108093dcc441\
      6146e00c0b8563d892d2a69702a4d38c\
      d0bad0bbd18ed18700010276616c7565\
      ff
      """
    ),
    (
      "", Data(), .never,
      """
      895374726174610a01000000fd375712\
      00000000000000000000000000000000\
      00000000000000000000000000000000\
      99e9d85137db46ef9b0e6aac79be6d33
      """
    ),
  ])
  func goldenBytes(_ key: String, _ value: Data, _ expiry: Expiry, _ hex: String) throws {
    let file = Self.file(key: key, value: value, expiry: expiry)
    let digits = Array("0123456789abcdef")
    #expect(String(file.flatMap { [digits[Int($0 / 16)], digits[Int($0 % 16)]] }) == hex)
    let read = try Self.read(file)
    #expect(read.key == Array(key.utf8) && Data(read.value) == value && read.expiry == expiry)
  }

  /// Values from 4096 bytes on have version 2; the checksums are from another program.
  @Test(arguments: [
    (4095, 1, 0 as UInt64), (4096, 2, 0x5c72_2d9c_eb6f_9064), (4097, 2, 0x6056_1862_892d_5819),
  ])
  func longValuesHaveAnotherChecksum(_ count: Int, _ version: UInt8, _ checksum: UInt64) throws {
    let value = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) })
    let file = Self.file(key: "long", value: value, expiry: .never)
    #expect(file[8] == version)
    if version == 2 { #expect(file.withUnsafeBytes { $0.number(at: 48) } == checksum) }
    #expect(try Data(Self.read(file).value) == value)
    for byte in [70, 68 + count / 2, 67 + count] {
      var damaged = file
      damaged[byte] ^= 0x80
      #expect(Self.flaw(damaged) == .damaged("the checksum of its value does not match"))
    }
  }

  @Test(
    arguments: [
      0, -0.0, 0.1, -1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity, .nan,
      Date.distantFuture.timeIntervalSinceReferenceDate,
    ] as [Double])
  func datesKeepTheirBits(_ seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    guard case .date(let read) = try Self.read(Self.file(key: "k", value: Data(), expiry: .date(date))).expiry
    else {
      Issue.record("the date became .never")
      return
    }
    #expect(read.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern)
  }

  @Test func everyFlippedBitIsSeenAsDamage() {
    for bit in 0..<Self.sample.count * 8 {
      var file = Self.sample
      file[bit / 8] ^= 1 << (bit % 8)
      #expect(Self.flaw(file)?.isDamage == true, "bit \(bit)")
    }
  }

  @Test func everyOtherLengthIsSeenAsDamage() {
    for count in 0..<Self.sample.count {
      #expect(Self.flaw(Array(Self.sample.prefix(count)))?.isDamage == true, "\(count) bytes")
    }
    #expect(Self.flaw(Self.sample + [0])?.isDamage == true)
  }

  @Test(arguments: [4, 7, UInt32.max])
  func aNewerVersionIsNoDamage(_ version: UInt32) {
    let file = Self.withVersion(version)
    #expect(Self.flaw(file) == .newer(version))
    // The newer version defines the bytes after the seal. There may be none.
    #expect(Self.flaw(Array(file.prefix(16))) == .newer(version))
  }

  @Test func versionZeroIsDamage() {
    #expect(Self.flaw(Self.withVersion(0))?.isDamage == true)
  }

  @Test func unknownFlagsAreDamageThoughAllChecksumsMatch() {
    var file = Self.sample
    file[16] |= 2
    #expect(Self.flaw(file) == .damaged("its flags are unknown"))
  }

  @Test func hostileLengthsDoNotOverflow() {
    var file = Self.sample
    for i in 24..<40 { file[i] = 0xFF }
    #expect(Self.flaw(file) == .damaged("its lengths are impossible"))
  }

  @Test func theVersionOfLongValuesIsDamageForShortOnes() {
    #expect(Self.flaw(Self.withVersion(2))?.isDamage == true)
  }

  static func withVersion(_ version: UInt32) -> [UInt8] {
    var file = sample
    file.replaceSubrange(8..<12, with: [UInt8](littleEndian: version))
    let seal = UInt32(truncatingIfNeeded: file[..<12].withUnsafeBytes { XXH64.hash($0) })
    file.replaceSubrange(12..<16, with: [UInt8](littleEndian: seal))
    return file
  }

  private static func flaw(_ file: [UInt8]) -> EntryFlaw? {
    do throws(EntryFlaw) { _ = try read(file) } catch { return error }
    return nil
  }
}

extension EntryFlaw {
  var isDamage: Bool { if case .damaged = self { true } else { false } }
}
