/// Something that a scenario asks of its store.
enum Step {
  /// Stores values of so many bytes together, or one.
  case set([String: Int])
  case remove([String])
  case removeAll
  case read(String)
  case readMany([String])
  case keys
  case sweep
  case measure
  case repair
  /// Lets the store go and opens it anew.
  case reopen

  static func set(_ key: String, _ size: Int) -> Step { .set([key: size]) }
  static func remove(_ key: String) -> Step { .remove([key]) }

  /// What the keys that it changes hold afterwards; `nil` for nothing.
  ///
  /// Values are told apart by the number of the step, so that an old one is never taken for a new one.
  func changes(number: Int, keys: some Sequence<String>) -> [String: Value?] {
    switch self {
    case .set(let sizes): sizes.mapValues { Value(size: $0, seed: number) }
    case .remove(let keys): Dictionary(uniqueKeysWithValues: keys.map { ($0, Value?.none) })
    case .removeAll: Dictionary(uniqueKeysWithValues: keys.map { ($0, Value?.none) })
    case .read, .readMany, .keys, .sweep, .measure, .repair, .reopen: [:]
    }
  }
}
