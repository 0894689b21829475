import Foundation
import Testing

@testable import StrataHTTP

struct HTTPDateTests {
  @Test(
    "dates in all three formats of HTTP are parsed",
    arguments: [
      // The three formats of RFC 9110, 5.6.7.
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 09 Sep 2001 01:46:40 GMT", 1_000_000_000),
      ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
      ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Sun Nov 16 08:49:37 1994", 784_975_777),
      // Case-insensitive letters.
      ("sUN, 06 NOV 1994 08:49:37 gmt", 784_111_777), ("SUNDAY, 06-nov-94 08:49:37 Gmt", 784_111_777),
      ("sun nov  6 08:49:37 1994", 784_111_777),
    ] as [(String, Double)])
  func valid(text: String, expected: Double) {
    #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: expected))
  }

  @Test("a two-digit year is at most 50 years from now")
  func century() {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let past = HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: now)
    let future = HTTPDate.parse("Saturday, 06-Nov-32 08:49:37 GMT", now: now)
    #expect(past == Date(timeIntervalSince1970: 784_111_777))
    #expect(future == HTTPDate.parse("Sat, 06 Nov 2032 08:49:37 GMT"))
  }

  @Test(
    "invalid dates are refused",
    arguments: [
      "", "0", "-1", "soon", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49 GMT",
      "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
      // Almost valid dates: errors in the comma, the spaces, the digits, the separators.
      "Sun 06 Nov 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov  1994 08:49:37 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:9:37 GMT",
      "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
      "Sun Nov  16 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 +8:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    ])
  func invalid(text: String) { #expect(HTTPDate.parse(text) == nil) }

  @Test("a missing field has no date")
  func absent() { #expect(HTTPDate.parse(nil) == nil) }
}
