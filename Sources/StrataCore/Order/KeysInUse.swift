/// The keys of one shard that are in use: the quick way in and out of a turn for which nobody waits.
///
/// One key at a time is the rule, and costs no allocation; further keys go to a dictionary.
@usableFromInline
struct KeysInUse<Key: Hashable & Sendable>: ~Copyable, Sendable {
  @usableFromInline
  struct Use: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let hash: Int
    @usableFromInline let runner: Runner
    /// Whether the key has a line in the `TurnTable`, which then decides whose turn it is.
    @usableFromInline var hasLine: Bool

    @inlinable
    init(key: Key, hash: Int, runner: Runner, hasLine: Bool) {
      self.key = key
      self.hash = hash
      self.runner = runner
      self.hasLine = hasLine
    }
  }

  @usableFromInline var first: Use?
  @usableFromInline var others: [Key: Use] = [:]
  /// Whether somebody waits for all keys or has them: then nobody takes a key by the quick way.
  @usableFromInline var isClosed = false

  @inlinable
  init() {}

  var isEmpty: Bool { first == nil && others.isEmpty }

  /// Takes a key if nobody has it or waits for it.
  @inlinable
  mutating func take(_ key: Key, hash: Int, by runner: Runner) -> Bool {
    if isClosed || contains(key, hash: hash) { return false }
    insert(Use(key: key, hash: hash, runner: runner, hasLine: false))
    return true
  }

  /// Gives a key back; `false` if it has a line, whose next member must be told.
  @inlinable
  mutating func release(_ key: Key, hash: Int) -> Bool {
    if let hasLine = first?.hasLine, first?.hash == hash, first?.key == key {
      if hasLine { return false }
      first = nil
      return true
    }
    if others[key]?.hasLine == true { return false }
    others[key] = nil
    return true
  }

  /// Notes that a key has a line; returns how it was taken if it had none.
  mutating func line(up key: Key, hash: Int) -> Use? {
    guard let use = use(of: key, hash: hash) else {
      insert(Use(key: key, hash: hash, runner: .nobody, hasLine: true))
      return nil
    }
    if use.hasLine { return nil }
    endLine(key, hash: hash)
    insert(Use(key: key, hash: hash, runner: use.runner, hasLine: true))
    return use
  }

  /// Notes that the line of a key has ended.
  mutating func endLine(_ key: Key, hash: Int) {
    if first?.hash == hash, first?.key == key { first = nil } else { others[key] = nil }
  }

  /// Closes the quick way; returns the keys that are taken, some of which may have lines.
  mutating func close() -> [Use] {
    isClosed = true
    return [first].compactMap(\.self) + others.values
  }

  func use(of key: Key, hash: Int) -> Use? {
    if first?.hash == hash, first?.key == key { return first }
    return others[key]
  }

  @inlinable
  func contains(_ key: Key, hash: Int) -> Bool {
    if let first = first?.hash, first == hash, self.first?.key == key { return true }
    return !others.isEmpty && others[key] != nil
  }

  @inlinable
  mutating func insert(_ use: Use) {
    if first == nil { first = use } else { others[use.key] = use }
  }
}
