/// Reads numbers with units.
package enum Quantity {
  /// Returns the number of bytes of a text such as `500`, `10MB` or `64KiB`, or `nil` for any other text.
  package static func bytes(_ text: String) -> Int? {
    guard let (number, unit) = split(text), let factor = sizes[unit.lowercased()] else { return nil }
    return Int(exactly: (number * factor).rounded())
  }

  /// Returns the number of seconds of a text such as `90`, `90s`, `10m`, `1.5h` or `7d`, or `nil` for any other text.
  package static func seconds(_ text: String) -> Double? {
    guard let (number, unit) = split(text), let factor = times[unit] else { return nil }
    return number * factor
  }

  /// Returns the bytes per second of a text such as `10MB/s`, or `nil` for zero and any other text.
  package static func rate(_ text: String) -> Int? {
    guard let bytes = bytes(text.hasSuffix("/s") ? String(text.dropLast(2)) : text), bytes > 0 else {
      return nil
    }
    return bytes
  }

  private static let sizes: [String: Double] = [
    "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
    "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "tib": 1_099_511_627_776,
  ]
  private static let times: [String: Double] = [
    "": 1, "ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]

  private static func split(_ text: String) -> (Double, String)? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), number.isFinite else { return nil }
    return (number, String(text[digits.endIndex...].drop { $0 == " " }))
  }
}
