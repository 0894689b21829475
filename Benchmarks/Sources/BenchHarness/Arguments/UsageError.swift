/// The error for a command with wrong arguments. Its description explains what to write instead.
public struct UsageError: Error, CustomStringConvertible, Equatable {
  /// The problem, for the person at the terminal.
  public let description: String

  /// Creates an error.
  public init(_ description: String) { self.description = description }
}
