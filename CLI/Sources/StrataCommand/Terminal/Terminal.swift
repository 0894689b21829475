import CommandTable

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The properties of the standard streams: which are terminals, and whether output is coloured.
struct Terminal: Sendable {
  /// Whether standard input is a terminal, so that a person can be asked.
  let hasInput: Bool
  /// Whether standard output is a terminal, so that a person reads the data.
  let hasOutput: Bool
  /// Whether standard error is a terminal, so that a person reads messages and progress.
  let hasErrors: Bool
  /// Whether output is coloured: by --color, or else on a terminal without `NO_COLOR` and `TERM=dumb`.
  let hasColour: Bool

  init(environment: [String: String], colour: String?) {
    hasInput = isatty(STDIN_FILENO) == 1
    hasOutput = isatty(STDOUT_FILENO) == 1
    hasErrors = isatty(STDERR_FILENO) == 1
    columns = Self.columns(environment)
    hasColour =
      switch colour {
      case "always": true
      case "never": false
      default:
        hasOutput && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
      }
  }

  /// The number of columns: `COLUMNS`, or else the terminal's, or 80 without a terminal.
  let columns: Int

  private static func columns(_ environment: [String: String]) -> Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    return size?.columns ?? 80
  }

  /// The present size of the terminal, or `nil` without one.
  static var size: (columns: Int, rows: Int)? {
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      var size = winsize()
      if ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return (Int(size.ws_col), Int(size.ws_row))
      }
    }
    return nil
  }

  enum Style: String { case bold = "1", faint = "2", red = "31", green = "32", yellow = "33", blue = "34" }

  /// Returns a text in a style, or unchanged if output is not coloured.
  func styled(_ text: String, _ style: Style) -> String {
    hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Returns lines of a message, broken between words if standard error is a terminal.
  func wrapped(_ text: String) -> String {
    guard hasErrors else { return text }
    let layout = Layout(width: columns)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.count <= columns
        ? String(line)
        : String(layout.paragraph(String(line), indent: line.hasPrefix("  ") ? 2 : 0).dropLast())
    }.joined(separator: "\n")
  }

  /// Returns a text of a store with its control characters escaped: unescaped, they would move the terminal's cursor or
  /// change its colours.
  static func safe(_ text: String) -> String {
    if !text.unicodeScalars.contains(where: isControl) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isControl(scalar) {
        result += scalar.escaped(asASCII: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      // These characters change the direction of the surrounding text.
      || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }
}
