/// A word that a command understands: `--name`, or `--name VALUE`.
public struct Option: Sendable {
  /// The name, without dashes.
  public let name: String
  /// What stands for the value in the help; `nil` for a flag, which has none.
  public let value: String?
  /// What it does, in one line.
  public let help: String

  /// Describes an option.
  public init(_ name: String, value: String? = nil, help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  /// How it is written in the help.
  public var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
