/// The error for a wrong command line.
package struct UsageError: Error, CustomStringConvertible, Equatable {
  /// The problem, in one sentence without a full stop.
  package let message: String
  /// The word that was probably meant instead of a mistyped one, or `nil`.
  package let meant: String?
  /// The name of the command whose help explains more, or `nil` if the error precedes the command.
  package internal(set) var command: String?

  /// Creates an error.
  package init(_ message: String, meant: String? = nil, command: String? = nil) {
    self.message = message
    self.meant = meant
    self.command = command
  }

  /// The message, with a question such as “Did you mean ls?” if `meant` is known.
  package var description: String { meant.map { "\(message). Did you mean \($0)?" } ?? message }
}
