#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Prints and reads dates such as `2030-01-31T23:59:59Z`, always in UTC, with as many decimals as needed.
enum Timestamp {
  /// The present time, in whole seconds.
  static var now: Date { Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)) }

  /// The text of a date after the year 30488.
  static let never = "never"

  /// Returns the text of a date, rounded to a microsecond.
  static func text(_ date: Date) -> String {
    let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
    guard abs(microseconds) < 9e17 else { return date > Date(timeIntervalSince1970: 0) ? never : "past" }
    let (seconds, fraction) = divided(Int(microseconds), by: 1_000_000)
    let (days, second) = divided(seconds, by: 86_400)
    let (year, month, day) = civil(days)
    var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
    text += "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    if fraction > 0 {
      var digits = padded(fraction, 6)
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    return text + "Z"
  }

  /// Returns the date of a text such as `2030-01-31`, `2030-01-31 23:59` or `2030-01-31T23:59:59.5Z`, or `nil` for any
  /// other text.
  static func date(_ text: String) -> Date? {
    var rest = text[...]
    if rest.hasSuffix("Z") { rest = rest.dropLast() }
    let parts = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    guard let first = parts.first else { return nil }
    let day = first.split(separator: "-", omittingEmptySubsequences: false)
    // `text` prints years of five digits, too.
    guard day.count == 3, (4...5).contains(day[0].count), day[1].count == 2, day[2].count == 2,
      let year = number(day[0]),
      let month = number(day[1]), let date = number(day[2]), (1...12).contains(month)
    else { return nil }
    let days = days(year, month, date)
    // An invalid date such as 30 February would become 1 or 2 March.
    guard civil(days) == (year, month, date) else { return nil }
    var seconds = Double(days) * 86_400
    if parts.count == 2 {
      let time = parts[1].split(separator: ":", omittingEmptySubsequences: false)
      guard time.count == 2 || time.count == 3, let hour = number(time[0]), let minute = number(time[1]),
        let second = time.count == 3 ? decimal(time[2]) : 0, hour < 24, minute < 60, second < 60
      else { return nil }
      seconds += Double(hour * 3600 + minute * 60) + second
    }
    return Date(timeIntervalSince1970: seconds)
  }

  /// Returns a number of seconds in its two largest units, such as `3d 4h`; below a minute, such as `7.5s`.
  static func span(_ seconds: Double) -> String {
    if seconds < 0 { return "-" + span(-seconds) }
    if seconds < 59.5 {
      let text = seconds < 9.95 ? Units.oneDecimal(seconds) : "\(Int(seconds.rounded()))"
      return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "s"
    }
    let whole = Int(min(seconds, 1e12).rounded())
    let units = [(31_536_000, "y"), (86_400, "d"), (3600, "h"), (60, "m"), (1, "s")]
    guard let index = units.firstIndex(where: { whole >= $0.0 }) else { return "0s" }
    let (size, name) = units[index]
    let rest = index + 1 < units.count ? whole % size / units[index + 1].0 : 0
    return rest == 0 ? "\(whole / size)\(name)" : "\(whole / size)\(name) \(rest)\(units[index + 1].1)"
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// Returns a number of decimal digits, of which some may follow a point.
  private static func decimal(_ text: Substring) -> Double? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } ? Double(text) : nil
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func divided(_ value: Int, by divisor: Int) -> (Int, Int) {
    let rest = (value % divisor + divisor) % divisor
    return ((value - rest) / divisor, rest)
  }

  /// Returns the number of days from 1 January 1970 to a date of the Gregorian calendar. It counts years from March, so
  /// that the leap day is the last day of a year.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = divided(year, by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int) -> (Int, Int, Int) {
    let (era, day) = divided(days + 719_468, by: 146_097)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let civil = month < 10 ? month + 3 : month - 9
    return (year + era * 400 + (civil <= 2 ? 1 : 0), civil, dayOfYear - (153 * month + 2) / 5 + 1)
  }
}
