#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Asks questions on the terminal.
enum Prompt {
  /// Asks a question, and returns whether the answer was “y” or “yes”.
  static func confirms(_ question: String) -> Bool {
    Output.putError(question + " [y/N] ")
    let answer = readLine()?.lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Asks for a secret, and returns it, or `nil` at the end of the input. The terminal does not show what is typed.
  static func secret(_ question: String) -> String? {
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    var hidden = settings
    hidden.c_lflag &= ~tcflag_t(ECHO)
    // The echo is turned off before the question is printed: an answer that is typed at once must be neither shown nor
    // dropped.
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    Output.putError(question + ": ")
    defer {
      tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
      Output.putError("\n")
    }
    return readLine()
  }
}
