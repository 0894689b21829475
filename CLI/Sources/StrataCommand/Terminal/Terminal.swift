#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The abilities of the terminal, if there is one.
struct Terminal: Sendable {
  /// Whether a person types the input.
  let hasInput: Bool
  /// Whether a person reads the output.
  let hasOutput: Bool
  /// Whether a person reads messages and progress.
  let hasErrors: Bool
  /// Whether texts may be coloured.
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

  /// The columns of the terminal; 80 without one.
  var columns: Int {
    var size = winsize()
    let found = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return found == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  enum Style: String { case bold = "1", faint = "2", red = "31", green = "32", yellow = "33", blue = "34" }

  /// Returns a text in a style, if there is colour.
  func styled(_ text: String, _ style: Style) -> String {
    hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Returns a text from a store in which no character moves the terminal's cursor or changes its colours.
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
      // These change the direction of the text around them.
      || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }
}
