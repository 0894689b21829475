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
    hasColour =
      switch colour {
      case "always": true
      case "never": false
      default:
        hasOutput && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
      }
  }

  /// The number of columns of the terminal, or 80 without a terminal.
  var columns: Int {
    var size = winsize()
    let found = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return found == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  enum Style: String { case bold = "1", faint = "2", red = "31", green = "32", yellow = "33", blue = "34" }

  /// Returns a text in a style, or unchanged if output is not coloured.
  func styled(_ text: String, _ style: Style) -> String {
    hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
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
