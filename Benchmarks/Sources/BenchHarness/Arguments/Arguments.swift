/// The arguments of a command, parsed by means of its options.
public struct Arguments: Sendable {
  private var values: [String: String] = [:]
  private var flags: Set<String> = []

  /// Parses words. Throws at the first word that matches no option.
  public init(_ words: some Sequence<String>, options: [Option]) throws(UsageError) {
    var words = words.makeIterator()
    while let word = words.next() {
      guard word.hasPrefix("--") else {
        throw UsageError("\(word) is not an option: options begin with --, and --help lists them")
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = options.first(where: { $0.name == name }) else {
        throw UsageError("there is no option --\(name); --help lists all options")
      }
      guard values[name] == nil && !flags.contains(name) else {
        throw UsageError("--\(name) is given twice")
      }
      switch (option.value, parts.count > 1 ? String(parts[1]) : nil) {
      case (nil, nil): flags.insert(name)
      case (nil, _?): throw UsageError("--\(name) takes no value")
      case (_?, let value?): values[name] = value
      case (let kind?, nil):
        guard let value = words.next(), !value.hasPrefix("--") else {
          throw UsageError("--\(name) needs a value: \(kind)")
        }
        values[name] = value
      }
    }
  }

  /// Returns whether a flag is set.
  public func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// Returns the value of an option, if it is given.
  public func value(_ name: String) -> String? { values[name] }

  /// Returns the value of an option, or throws if it is missing.
  public func required(_ name: String) throws(UsageError) -> String {
    guard let value = values[name] else { throw UsageError("--\(name) is missing") }
    return value
  }

  /// Returns the value of an option as a number above zero, if it is given.
  public func count(_ name: String) throws(UsageError) -> Int? {
    guard let value = values[name] else { return nil }
    guard let count = Int(value), count > 0 else {
      throw UsageError("--\(name) must be a whole number above zero, not \(value)")
    }
    return count
  }
}
