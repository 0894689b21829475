/// An operation of a scenario on its store.
enum Step {
  /// Stores values of the given numbers of bytes. Several values are one batch.
  case set([String: Int])
  /// Stores a value of a number of bytes, which comes a part at a time.
  case stream(String, Int)
  case remove([String])
  case removeAll
  case read(String)
  case readMany([String])
  case keys
  case sweep
  case measure
  case repair
  /// Releases the store and opens it again.
  case reopen

  static func set(_ key: String, _ size: Int) -> Step { .set([key: size]) }
  static func remove(_ key: String) -> Step { .remove([key]) }

  /// Returns the values of the changed keys after the step. `nil` stands for a removed one.
  ///
  /// Values contain the number of the step, so that an old one is never mistaken for a new one.
  func changes(number: Int, keys: some Sequence<String>) -> [String: Value?] {
    switch self {
    case .set(let sizes): sizes.mapValues { Value(size: $0, seed: number) }
    case .stream(let key, let size): [key: Value(size: size, seed: number)]
    case .remove(let keys): Dictionary(uniqueKeysWithValues: keys.map { ($0, Value?.none) })
    case .removeAll: Dictionary(uniqueKeysWithValues: keys.map { ($0, Value?.none) })
    case .read, .readMany, .keys, .sweep, .measure, .repair, .reopen: [:]
    }
  }
}
