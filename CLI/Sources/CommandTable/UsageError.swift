/// The error for words that are no valid command: what is wrong, and what was probably meant.
package struct UsageError: Error, CustomStringConvertible, Equatable {
  /// The problem, in one sentence without a full stop.
  package let message: String
  /// The word that was probably meant.
  package let meant: String?
  /// The command whose help explains more.
  package internal(set) var command: String?

  /// Makes an error.
  package init(_ message: String, meant: String? = nil, command: String? = nil) {
    self.message = message
    self.meant = meant
    self.command = command
  }

  /// The problem, with the question for the word that was probably meant.
  package var description: String { meant.map { "\(message). Did you mean \($0)?" } ?? message }
}
