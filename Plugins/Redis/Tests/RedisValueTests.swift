import Foundation
import StrataCore
import Testing

@testable import StrataRedis

/// The encoding of stored values.
@Suite struct RedisValueTests {
  /// The last bytes of a value to which a date is appended.
  private static let mark = Data([0xFF, 0x53, 0x74, 0xFF])

  private static let values = [
    Data(), text("x"), text("{\"a\":1}"), mark, Data(count: 8) + mark, Data(count: 7) + mark,
    Data([1, 2, 3]) + Data(repeating: 0xFF, count: 8) + mark, mark + mark + mark, Data(count: 100) + mark,
    Data(repeating: 0xFF, count: 40),
  ]

  /// Returns a value with its date appended, as earlier versions stored it.
  private static func dated(_ value: Data, _ expiry: Int) -> Data {
    value + withUnsafeBytes(of: expiry.bigEndian) { Data($0) } + mark
  }

  @Test(arguments: values, [nil, 1, 0xFF, 1_800_000_000_123, 253_402_300_799_000])
  func valuesAndExpiriesRoundTrip(_ value: Data, _ expiry: Int?) {
    let bytes = expiry.map { Self.dated(value, $0) } ?? RedisValue.bytes(value)
    let entry = RedisValue.entry(bytes)
    #expect(entry.object == value)
    #expect(entry.expiry == Expiry(millisecondsSince1970: expiry))
    // A slice is decoded like other data: most values are slices of a reply.
    let slice = (Data([9, 9, 9]) + bytes).dropFirst(3)
    #expect(RedisValue.entry(slice) == entry)
  }

  @Test func plainValuesAreStoredUnchanged() {
    for value in [Data(), text("{}"), Data([0xFF]), Self.mark] { #expect(RedisValue.bytes(value) == value) }
  }

  @Test func valuesOfOtherProgramsAreReadUnchanged() {
    for text in ["", "plain", "é", "St", "a much longer text, in which nothing is special at all"] {
      #expect(RedisValue.entry(StrataRedisTests.text(text)) == Entry(object: StrataRedisTests.text(text)))
    }
  }

  @Test(arguments: [
    (-1e9, 1), (0, 1), (0.0004, 1), (1.0004, 1000), (1.0006, 1001), (1_700_000_000.1234, 1_700_000_000_123),
  ])
  func datesAreRoundedToTheMillisecond(_ seconds: Double, _ milliseconds: Int) {
    let expiry = Expiry.date(Date(timeIntervalSince1970: seconds))
    #expect(expiry.millisecondsSince1970(by: .system) == milliseconds)
  }

  @Test func datesRoundTrip() {
    for milliseconds in stride(from: 1_700_000_000_001, to: 1_700_000_003_000, by: 7) {
      let expiry = Expiry(millisecondsSince1970: milliseconds)
      #expect(expiry.millisecondsSince1970(by: .system) == milliseconds)
    }
  }

  @Test func datesTooFarAwayAreNever() {
    #expect(Expiry.never.millisecondsSince1970(by: .system) == nil)
    #expect(Expiry.seconds(.infinity).millisecondsSince1970(by: .system) == nil)
    #expect(Expiry.date(Date(timeIntervalSince1970: 1e17)).millisecondsSince1970(by: .system) == nil)
    #expect(Expiry.date(.distantFuture).millisecondsSince1970(by: .system) == 64_092_211_200_000)
  }
}
