#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Questions to the person at the terminal.
enum Prompt {
  /// Asks a question that is answered by yes or no. Only yes is yes.
  static func confirms(_ question: String) -> Bool {
    Output.putError(question + " [y/N] ")
    let answer = readLine()?.lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Asks for a secret, which the terminal does not show; `nil` if the input ended.
  static func secret(_ question: String) -> String? {
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    var hidden = settings
    hidden.c_lflag &= ~tcflag_t(ECHO)
    // Before the question is seen: what is typed at once must be neither shown nor dropped.
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    Output.putError(question + ": ")
    defer {
      tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
      Output.putError("\n")
    }
    return readLine()
  }
}
