#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Parses HTTP dates, in the three formats that RFC 9110, 5.6.7, requires.
package enum HTTPDate {
  /// Returns the date of a field, or `nil` if it is invalid.
  ///
  /// - Parameter now: Determines the century of a two-digit year: at most 50 years from now.
  package static func parse(_ text: String?, now: Date = Date()) -> Date? {
    // Letters are case-insensitive (RFC 9111, 4.2); everything else is strict: single spaces, and all digits.
    let words = (text ?? "").lowercased().split(separator: " ", omittingEmptySubsequences: false)
      .map(String.init)
    switch words.count {
    case 6 where words[0].count == 4 && words[0].last == "," && words[5] == "gmt":
      // Sun, 06 Nov 1994 08:49:37 GMT
      return date(year: words[3], month: words[2], day: words[1], time: words[4])
    case 6 where words[2].isEmpty && words[3].count == 1:  // Sun Nov  6 08:49:37 1994
      return date(year: words[5], month: words[1], day: "0" + words[3], time: words[4])
    case 5:  // Sun Nov 16 08:49:37 1994
      return date(year: words[4], month: words[1], day: words[2], time: words[3])
    case 4 where words[0].last == "," && words[3] == "gmt":  // Sunday, 06-Nov-94 08:49:37 GMT
      let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, let year = number(parts[2], digits: 2) else { return nil }
      let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
      let inThisCentury = thisYear / 100 * 100 + year
      let full = inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury
      return date(year: String(full), month: parts[1], day: parts[0], time: words[2])
    default: return nil
    }
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func date(year: String, month: String, day: String, time: String) -> Date? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false)
      .map { number(String($0), digits: 2) }
    guard let year = number(year, digits: 4), let month = months.firstIndex(of: month),
      let day = number(day, digits: 2), 1...31 ~= day,
      clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = daysSince1970(year: year, month: month + 1, day: day)
    return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
  }

  private static func number(_ text: String, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return nil }
    return Int(text)
  }

  /// Returns the days in the Gregorian calendar. Years begin in March here, so that a leap day is the last day of a
  /// year.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
