import CommandTable
import Testing

@testable import CommandTable

@Suite struct QuantityTests {
  @Test(arguments: [
    ("0", 0), ("500", 500), ("10MB", 10_000_000), ("64KiB", 65_536), ("1.5 kB", 1500), ("2G", 2_000_000_000),
    ("1gib", 1 << 30), ("7b", 7),
  ]) func sizes(_ text: String, _ bytes: Int) { #expect(Quantity.bytes(text) == bytes) }

  @Test(arguments: ["", "MB", "1XB", "-1", "1e3x", "1..5", "99999999999TB"])
  func noSizes(_ text: String) { #expect(Quantity.bytes(text) == nil) }

  @Test(arguments: [
    ("90", 90.0), ("90s", 90), ("10m", 600), ("1.5h", 5400), ("7d", 604_800), ("250ms", 0.25),
    ("1w", 604_800),
  ]) func times(_ text: String, _ seconds: Double) { #expect(Quantity.seconds(text) == seconds) }

  @Test(arguments: ["", "h", "1y", "1 hour"]) func invalidTimesAreRefused(_ text: String) {
    #expect(Quantity.seconds(text) == nil)
  }

  @Test(arguments: [
    ("copy", "copy", 0), ("cpoy", "copy", 1), ("coyp", "copy", 1), ("cop", "copy", 1), ("", "abc", 3),
    ("kitten", "sitting", 3),
  ]) func distances(_ one: String, _ other: String, _ distance: Int) {
    #expect(Spelling.distance(one, other) == distance)
    #expect(Spelling.distance(other, one) == distance)
  }

  @Test func farWordsAreNotGuessed() {
    #expect(Spelling.nearest(to: "xy", among: ["ls", "rm"]) == nil)
    #expect(Spelling.nearest(to: "l", among: ["ls", "rm"]) == "ls")
    #expect(Spelling.nearest(to: "verfy", among: ["verify", "help"]) == "verify")
  }
}
