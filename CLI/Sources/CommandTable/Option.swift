/// An option of a command: `--name`, `--name VALUE`, or a short form of either.
package struct Option: Sendable {
  /// The kind of an option's value. The parser refuses values of another kind.
  package enum Kind: Sendable, Equatable {
    /// No value: `--name` sets the option, and `--no-name` unsets it.
    case flag
    case text, file
    case count
    /// A number of bytes, such as `10MB` or `64KiB`.
    case size
    /// A length of time, such as `10m` or `1.5h`.
    case duration
    /// A number of bytes per second, such as `10MB/s`.
    case rate
    case choice([String])
  }

  /// The name of the option, without dashes.
  package let name: String
  /// The letter of the short form, or `nil` if there is none.
  package let short: Character?
  /// The name of the value in the help, such as `FILE`; empty for a flag.
  package let placeholder: String
  /// The kind of the value.
  package let kind: Kind
  /// The effect of the option, in one line without a full stop.
  package let help: String
  /// Whether all values are used if the option is given several times. If not, only the last value is used.
  package let repeats: Bool
  /// The environment variable whose value is used if the option is not given.
  package let environment: String?

  /// Creates an option with a value.
  package init(
    _ name: String, short: Character? = nil, _ placeholder: String, _ kind: Kind = .text, _ help: String,
    repeats: Bool = false, environment: String? = nil
  ) {
    self.name = name
    self.short = short
    self.placeholder = placeholder
    self.kind = kind
    self.help = help
    self.repeats = repeats
    self.environment = environment
  }

  /// Creates an option without a value.
  package init(flag name: String, short: Character? = nil, _ help: String) {
    self.init(name, short: short, "", .flag, help)
  }

  /// The words by which shells complete the option's value.
  var completion: Completion {
    switch kind {
    case .file: .file
    case .choice(let words): .words(words)
    default: .none
    }
  }

  /// The option's forms in the help, such as `-n, --limit N`.
  var usage: String {
    let long = placeholder.isEmpty ? "--\(name)" : "--\(name) \(placeholder)"
    return short.map { "-\($0), \(long)" } ?? "    \(long)"
  }

  /// Throws if the text is not a value of the option's kind.
  func check(_ value: String) throws(UsageError) {
    switch kind {
    case .flag: throw UsageError("--\(name) takes no value")
    case .text, .file: break
    case .count:
      guard let number = Int(value), number >= 0 else {
        throw UsageError("--\(name) must be a whole number from 0, and not \(quoted(value))")
      }
    case .size:
      guard Quantity.bytes(value) != nil else {
        throw UsageError("--\(name) must be a size such as 500, 10MB or 64KiB, and not \(quoted(value))")
      }
    case .duration:
      guard Quantity.seconds(value) != nil else {
        throw UsageError("--\(name) must be a time such as 90s, 10m, 1.5h or 7d, and not \(quoted(value))")
      }
    case .rate:
      guard Quantity.rate(value) != nil else {
        throw UsageError("--\(name) must be a rate such as 10MB/s, and not \(quoted(value))")
      }
    case .choice(let words):
      if words.contains(value) { return }
      throw UsageError(
        "--\(name) must be one of \(words.joined(separator: ", ")), and not \(quoted(value))",
        meant: Spelling.nearest(to: value, among: words))
    }
  }
}

/// Returns a word in the quotation marks of messages.
func quoted(_ word: String) -> String { "“\(word)”" }
