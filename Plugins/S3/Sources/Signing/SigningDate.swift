#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A date in the format of signatures, in UTC.
struct SigningDate: Hashable, Sendable {
  /// Year, month and day: `20150830`.
  let day: String
  /// The date and time: `20150830T123600Z`.
  let second: String
  /// The seconds since 1970.
  let seconds: Int

  init(_ date: Date) { self.init(Self.seconds(of: date)) }

  init(_ seconds: Int) {
    self.seconds = seconds
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    // The Gregorian calendar repeats every 146 097 days. Years begin in March, so that a leap day is the last day of a
    // year.
    let era = days + 719_468
    let dayOfEra = era % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isNextYear = month >= 10
    let year = era / 146_097 * 400 + yearOfEra + (isNextYear ? 1 : 0)
    day =
      Self.digits(year, 4) + Self.digits(isNextYear ? month - 9 : month + 3, 2)
      + Self.digits(dayOfYear - (153 * month + 2) / 5 + 1, 2)
    second =
      "\(day)T\(Self.digits(rest / 3600, 2))\(Self.digits(rest / 60 % 60, 2))\(Self.digits(rest % 60, 2))Z"
  }

  /// Returns the whole seconds since 1970.
  static func seconds(of date: Date) -> Int { Int(date.timeIntervalSince1970.rounded(.down)) }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.count, 0)) + text
  }
}
