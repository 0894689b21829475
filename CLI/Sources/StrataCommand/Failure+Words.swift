extension Failure {
  /// Pairs of words in errors of the library, which name properties of a configuration, and words for the command line.
  private static let words = [
    ("set `password`, and `user` if it has one", "\(password), and &user=NAME in the address if it has one"),
    ("check `user` and `password`", "check the user in the address, and \(password)"),
    ("set it in the configuration", password),
    ("; name its primary in the configuration as well", "; give the address of its primary"),
    ("than `maximumReplySize` in the configuration, and was discarded; raise it", "than the command accepts"),
    ("more than S3Config.maximumValueSize, ", "more than the command accepts, "),
    ("has more bytes than S3Config.maximumValueSize, ", "has more bytes than the command accepts, "),
    (": import it from a file, or raise the limit", ""), (": export it to a file, or raise the limit", ""),
    ("lower `connections`, or use a pooler", "try again later"),
    (", or set `isReadOnly`", ""), ("raise `busyTimeout`", "raise --timeout"),
    ("; create a new store", ""),
  ]

  private static let password = "give the password by --password-file or $STRATA_PASSWORD"

  /// Returns a message of the library in the words of the command line, and in one line.
  static func inOwnWords(_ message: String) -> String {
    let line = message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.reduce(line) { $0.replacing($1.0, with: $1.1) }
  }
}
