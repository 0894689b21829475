/// An option of a command: `--name`, or `--name VALUE`.
public struct Option: Sendable {
  /// The name, without dashes.
  public let name: String
  /// The placeholder for the value in the help; `nil` for a flag, which has no value.
  public let value: String?
  /// The effect of the option, in one line.
  public let help: String

  /// Creates an option.
  public init(_ name: String, value: String? = nil, help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  /// The option as the help shows it.
  public var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
