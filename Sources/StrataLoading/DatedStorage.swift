import StrataCore

/// Adapts a store of plain values to a store of entries. Of an entry's metadata only the expiry is kept.
///
/// A value is stored for `staleFor` beyond its freshness, so the end of its freshness can be calculated from its
/// expiry.
struct DatedStorage<Base: StorageAware>: StorageLink {
  typealias Key = Base.Key
  typealias Value = Cached<Base.Value>

  let base: Base
  private let policy: LoadPolicy
  private let keep: Double

  init(_ base: Base, _ policy: LoadPolicy) {
    self.base = base
    self.policy = policy
    keep = max((policy.staleFor ?? .zero).inSeconds, 0)
  }

  var traits: StoreTraits {
    var traits = StoreTraits(showing: base)
    traits.keepsDatesOnly = true
    return traits
  }
  var wrappedStorages: [any StorageDesign] { [base] }

  private func dated(_ entry: Entry<Base.Value>) -> Entry<Value> {
    // The start of the load is not stored, so rules that depend on it do not apply.
    entry.map { Cached($0, end: entry.expiry.secondsSinceReferenceDate - keep, began: -.infinity) }
  }

  private func expiry(of cached: Value, _ expiry: Expiry?) -> Expiry? {
    cached.end == .infinity ? expiry : Expiry(secondsSinceReferenceDate: cached.end + keep)
  }

  func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key).map(dated) }
  func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    try await base.read(key, how).map(dated)
  }
  func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    try await base.read(keys, how).mapValues(dated)
  }

  /// Changes the plain value. An absence is not stored: it removes a value, and takes no key that has none.
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    let plain: StoreChange<Base.Value>
    switch change.kind {
    case .set(let expiry), .replace(let expiry):
      plain = change.object.value.map { .set($0, self.expiry(of: change.object, expiry)) } ?? .remove
    case .setIfAbsent(let expiry):
      guard let value = change.object.value else { return false }
      plain = .setIfAbsent(value, self.expiry(of: change.object, expiry))
    case .touch(let expiry): plain = .touch(expiry)
    case .remove: plain = .remove
    case .forget: plain = .forget
    }
    return try await base.change(key, plain, how)
  }

  func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    let plain: StoreBatch<Key, Base.Value>
    switch batch {
    case .set(let objects, let expiry):
      // All values of one call are fresh until the same time.
      guard let first = objects.values.first else { return }
      plain = .set(objects.compactMapValues(\.value), self.expiry(of: first, expiry))
    case .setEntries(let entries):
      plain = .setEntries(
        entries.compactMapValues { entry in
          entry.object.value.map {
            Entry(object: $0, expiry: expiry(of: entry.object, entry.expiry) ?? .never)
          }
        })
    case .remove(let keys): plain = .remove(keys)
    }
    try await base.change(plain, how)
  }
}

extension DatedStorage: ConditionalStorage where Base: ConditionalStorage {}

extension LoadEngine {
  /// Throws if the inner store cannot keep metadata that the loader returned.
  func refuse(_ what: String, _ key: (any Sendable)? = nil) throws {
    guard base.traits.keepsDatesOnly else { return }
    throw StorageError.invalidConfiguration.with(
      "a store of plain values keeps no \(what): use a `Storage`, a store of bytes, or a store of `Cached` values",
      key: key)
  }
}
