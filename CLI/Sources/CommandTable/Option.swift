/// An option of a command: `--name`, `--name VALUE`, or a short form of either.
package struct Option: Sendable {
  /// The kinds of values. The parser refuses a value that is not of the option's kind.
  package enum Kind: Sendable, Equatable {
    /// No value: the option is given or not, and `--no-name` takes it back.
    case flag
    case text, file
    case count
    /// Bytes, such as `10MB` or `64KiB`.
    case size
    /// A time, such as `10m` or `1.5h`.
    case duration
    /// Bytes in a second, such as `10MB/s`.
    case rate
    case choice([String])
  }

  /// The name, without dashes.
  package let name: String
  /// The single letter that stands for the name, if there is one.
  package let short: Character?
  /// The placeholder for the value in the help; empty for a flag.
  package let placeholder: String
  /// The kind of the value.
  package let kind: Kind
  /// The effect, in one line.
  package let help: String
  /// Whether the option may be given several times. If not, the last one counts.
  package let repeats: Bool
  /// The environment variable that gives the value if the option is not given.
  package let environment: String?

  /// Describes an option with a value.
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

  /// Describes a flag.
  package init(flag name: String, short: Character? = nil, _ help: String) {
    self.init(name, short: short, "", .flag, help)
  }

  /// The completion of the value in shells.
  var completion: Completion {
    switch kind {
    case .file: .file
    case .choice(let words): .words(words)
    default: .none
    }
  }

  /// The option as the help shows it.
  var usage: String {
    let long = placeholder.isEmpty ? "--\(name)" : "--\(name) \(placeholder)"
    return short.map { "-\($0), \(long)" } ?? "    \(long)"
  }

  /// Throws if a text is not a value of this option.
  func check(_ value: String) throws(UsageError) {
    switch kind {
    case .flag: throw UsageError("--\(name) takes no value")
    case .text, .file: break
    case .count:
      guard let number = Int(value), number >= 0 else {
        throw UsageError("--\(name) must be a whole number from 0, and \(quoted(value)) is none")
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

/// Returns a word as messages show it.
func quoted(_ word: String) -> String { "“\(word)”" }
