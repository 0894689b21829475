/// A command was not given what it needs; says what to write instead.
public struct UsageError: Error, CustomStringConvertible, Equatable {
  /// What is wrong, for the person at the terminal.
  public let description: String

  /// Makes an error.
  public init(_ description: String) { self.description = description }
}
