/// A command with the arguments and options of a command line, which the parser has checked.
package struct Invocation: Sendable {
  /// The command to run.
  package let command: Command
  private var given: [String: [String]] = [:]
  private var flags: [String: Bool] = [:]
  private var words: [String: [String]] = [:]

  init(_ command: Command) { self.command = command }

  mutating func set(_ option: Option, _ value: String) {
    given[option.name] = option.repeats ? given[option.name, default: []] + [value] : [value]
  }

  mutating func set(flag name: String, _ isOn: Bool) { flags[name] = isOn }

  mutating func setDefault(_ option: Option, _ value: String) {
    if given[option.name] == nil { given[option.name] = [value] }
  }

  mutating func assign(_ words: [String], to argument: Argument) { self.words[argument.name] = words }

  /// Returns whether a flag is set. A flag that was not given is not.
  package func has(_ flag: String) -> Bool { flags[flag] ?? false }

  /// Returns `true` for `--flag`, `false` for `--no-flag`, and `nil` if neither was given.
  package func isSet(_ flag: String) -> Bool? { flags[flag] }

  /// Returns the value of an option, or `nil` if it was not given.
  package func text(_ name: String) -> String? { given[name]?.last }

  /// Returns all values of an option that may be repeated.
  package func texts(_ name: String) -> [String] { given[name] ?? [] }

  /// Returns the value of an option as a whole number, or `nil` if it was not given.
  package func count(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

  /// Returns the value of an option in seconds, or `nil` if it was not given.
  package func seconds(_ name: String) -> Double? { text(name).flatMap(Quantity.seconds) }

  /// Returns the value of an option in bytes, or `nil` if it was not given.
  package func bytes(_ name: String) -> Int? { text(name).flatMap(Quantity.bytes) }

  /// Returns the value of an option in bytes per second, or `nil` if it was not given.
  package func rate(_ name: String) -> Int? { text(name).flatMap(Quantity.rate) }

  /// Returns an argument, or `nil` if it was not given.
  package func argument(_ name: String) -> String? { words[name]?.first }

  /// Returns an argument that is not optional. The parser has already refused command lines without it.
  package func required(_ name: String) throws(UsageError) -> String {
    guard let word = argument(name) else { throw UsageError("\(name) is missing", command: command.name) }
    return word
  }

  /// Returns all words of an argument that may be repeated.
  package func arguments(_ name: String) -> [String] { words[name] ?? [] }
}
