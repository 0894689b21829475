/// Formats numbers for people, and pads texts to columns.
enum Units {
  /// Returns a size such as `312 B`, `4.2 kB` or `1.0 GB`.
  static func bytes(_ count: Int) -> String {
    if abs(count) < 1000 { return "\(count) B" }
    var value = Double(count)
    for unit in ["kB", "MB", "GB", "TB", "PB"] {
      value /= 1000
      if abs(value) < 999.95 { return "\(oneDecimal(value)) \(unit)" }
    }
    return "\(oneDecimal(value / 1000)) EB"
  }

  /// Returns a duration such as `2.5 ms` or `1.2 s`.
  static func time(_ seconds: Double) -> String {
    if seconds < 0.001 { return "\(oneDecimal(seconds * 1e6)) µs" }
    return seconds < 1 ? "\(oneDecimal(seconds * 1e3)) ms" : "\(oneDecimal(seconds)) s"
  }

  /// Returns a whole number such as `1 234 567`.
  static func count(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(abs(number)).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(" ") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// Returns a share such as `12.5 %`.
  static func percent(_ part: Int, of whole: Int) -> String {
    whole == 0 ? "0 %" : "\(oneDecimal(Double(part) / Double(whole) * 100)) %"
  }

  /// Returns a number of entries, such as `1 entry` or `1 234 entries`.
  static func entries(_ number: Int) -> String { number == 1 ? "1 entry" : "\(count(number)) entries" }

  static func oneDecimal(_ value: Double) -> String {
    let tenths = Int((abs(value) * 10).rounded())
    return "\(value < 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
  }

  /// Returns a text with spaces before it, `width` columns wide.
  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Returns a text with spaces after it, `width` columns wide.
  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
