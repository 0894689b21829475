/// A command as it was given: its arguments and options, which the parser has checked.
package struct Invocation: Sendable {
  /// The command.
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

  /// Returns whether a flag is set.
  package func has(_ flag: String) -> Bool { flags[flag] ?? false }

  /// Returns whether a flag was set or taken back; `nil` if it was not given.
  package func isSet(_ flag: String) -> Bool? { flags[flag] }

  /// Returns the value of an option.
  package func text(_ name: String) -> String? { given[name]?.last }

  /// Returns all values of an option that may be repeated.
  package func texts(_ name: String) -> [String] { given[name] ?? [] }

  /// Returns the value of an option as a whole number.
  package func count(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

  /// Returns the value of an option in seconds.
  package func seconds(_ name: String) -> Double? { text(name).flatMap(Quantity.seconds) }

  /// Returns the value of an option in bytes.
  package func bytes(_ name: String) -> Int? { text(name).flatMap(Quantity.bytes) }

  /// Returns the value of an option in bytes in a second.
  package func rate(_ name: String) -> Int? { text(name).flatMap(Quantity.rate) }

  /// Returns an argument.
  package func argument(_ name: String) -> String? { words[name]?.first }

  /// Returns an argument that the parser has made sure of.
  package func required(_ name: String) throws(UsageError) -> String {
    guard let word = argument(name) else { throw UsageError("\(name) is missing", command: command.name) }
    return word
  }

  /// Returns all words of an argument that repeats.
  package func arguments(_ name: String) -> [String] { words[name] ?? [] }
}
