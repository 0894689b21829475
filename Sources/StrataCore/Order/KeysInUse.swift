/// The keys of one shard that are in use: the fast path for turns without waiters.
///
/// Usually one key is in use at a time, which needs no allocation. Further keys are stored in a dictionary.
@usableFromInline
struct KeysInUse<Key: Hashable & Sendable>: ~Copyable, Sendable {
  @usableFromInline
  struct Use: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let hash: Int
    @usableFromInline var runner: Runner
    /// Whether the key has a queue in the `TurnTable`, which then decides whose turn is next.
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
  /// Batches with keys of this shard. No two batches of a shard have a key in common.
  @usableFromInline var batches: [KeyBatch<Key>] = []
  /// Whether there is a fence, a turn of all keys: then no key is taken by the fast path.
  @usableFromInline var isClosed = false

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { first == nil && others.isEmpty && batches.isEmpty }
  /// Whether no key is in use, and there is no fence.
  @inlinable
  var isIdle: Bool { isEmpty && !isClosed }

  /// Takes a key if it is neither taken nor waited for. Returns whether the key was taken.
  @inlinable
  mutating func take(_ key: Key, hash: Int, by runner: Runner) -> Bool {
    if isClosed || contains(key, hash: hash) { return false }
    insert(Use(key: key, hash: hash, runner: runner, hasLine: false))
    return true
  }

  /// Releases a key. Returns `false` if the key has a queue: the table must then pass the turn on.
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

  /// Takes the keys of a batch that belong to this shard, which has the given number, if none of them is taken or
  /// waited for. Returns whether they were taken.
  @inlinable
  mutating func take(_ batch: KeyBatch<Key>, in shard: Int) -> Bool {
    if isClosed { return false }
    if let first = first?.key, batch.keys.contains(first) { return false }
    for key in others.keys where batch.keys.contains(key) { return false }
    for other in batches where other.isCompared(with: batch, in: shard) {
      if !other.keys.isDisjoint(with: batch.keys) { return false }
    }
    batches.append(batch)
    return true
  }

  /// Releases the keys of a batch. Returns those that have queues: the table must then pass the turns on.
  @inlinable
  mutating func release(_ batch: KeyBatch<Key>) -> [Key] {
    batches.removeAll { $0 === batch }
    var lines: [Key] = []
    if let first, first.hasLine, batch.keys.contains(first.key) { lines.append(first.key) }
    for use in others.values where use.hasLine && batch.keys.contains(use.key) { lines.append(use.key) }
    return lines
  }

  /// Changes the runner of a key that is taken. Returns whether the key has a queue, where the runner is recorded too.
  mutating func pass(_ key: Key, hash: Int, to runner: Runner) -> Bool {
    if first?.hash == hash, first?.key == key {
      first?.runner = runner
      return first?.hasLine == true
    }
    others[key]?.runner = runner
    return others[key]?.hasLine == true
  }

  /// Marks a key as having a queue. Returns its use if it was taken by the fast path.
  mutating func line(up key: Key, hash: Int) -> Use? {
    guard let use = use(of: key, hash: hash) else {
      let batch = batches.first { $0.keys.contains(key) }
      let use = Use(key: key, hash: hash, runner: batch?.runner ?? .nobody, hasLine: true)
      insert(use)
      return batch == nil ? nil : use
    }
    if use.hasLine { return nil }
    endLine(key, hash: hash)
    insert(Use(key: key, hash: hash, runner: use.runner, hasLine: true))
    return use
  }

  /// Removes a key whose queue has ended.
  mutating func endLine(_ key: Key, hash: Int) {
    if first?.hash == hash, first?.key == key { first = nil } else { others[key] = nil }
  }

  /// Closes the fast path. Returns the keys in use except those of batches. Some may already have queues.
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
    if !others.isEmpty, others[key] != nil { return true }
    return !batches.isEmpty && batches.contains { $0.keys.contains(key) }
  }

  @inlinable
  mutating func insert(_ use: Use) {
    if first == nil { first = use } else { others[use.key] = use }
  }
}
