#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Adapts a store of plain values to a store of entries. Of an entry's metadata only the expiry is kept.
///
/// A value is stored for `staleFor` beyond its freshness, so the end of its freshness can be calculated from its
/// expiry.
struct DatedStorage<Base: StorageAware>: StorageLink, TransparentStorage, KeepsDatesOnly {
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

  var visible: any StorageDesign { base }
  var wrappedStorages: [any StorageDesign] { [base] }

  private func read(_ entry: Entry<Base.Value>) -> Entry<Value> {
    let end: Double =
      switch entry.expiry {
      case .date(let date): date.timeIntervalSinceReferenceDate - keep
      case .never, .seconds: .infinity
      }
    // The start of the load is not stored, so rules that depend on it do not apply.
    return Entry(object: Cached(entry.object, end: end, began: -.infinity), expiry: entry.expiry)
  }

  private func expiry(of cached: Value, _ expiry: Expiry?) -> Expiry? {
    cached.end == .infinity
      ? expiry : .date(Date(timeIntervalSinceReferenceDate: cached.end + keep))
  }

  func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key).map(read) }
  func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.entryIfPresent(forKey: key).map(read)
  }
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    guard let value = object.value else { return try await base.removeObject(forKey: key) }
    try await base.setObject(value, forKey: key, expiry: self.expiry(of: object, expiry))
  }
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    // All values of one call are fresh until the same time.
    guard let first = objects.values.first else { return }
    try await base.setObjects(objects.compactMapValues(\.value), expiry: self.expiry(of: first, expiry))
  }
  func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    var plain: [Key: Entry<Base.Value>] = [:]
    for (key, entry) in entries {
      guard let value = entry.object.value else { continue }
      plain[key] = Entry(object: value, expiry: expiry(of: entry.object, entry.expiry) ?? .never)
    }
    try await base.setEntries(plain)
  }
  func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await base.entries(forKeys: keys).mapValues(read)
  }
}

extension DatedStorage: ConditionalStorage where Base: ConditionalStorage {
  /// Stores a value if the key has none, or only an expired one. An absence is not stored.
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    guard let value = object.value else { return false }
    return try await base.setIfAbsent(value, forKey: key, expiry: self.expiry(of: object, expiry))
  }
}

/// A store that keeps only the value and the dates of an entry.
protocol KeepsDatesOnly {}

extension LoadEngine {
  /// Throws if the inner store cannot keep metadata that the loader returned.
  func refuse(_ what: String, _ key: (any Sendable)? = nil) throws {
    guard base is any KeepsDatesOnly else { return }
    throw StorageError.invalidConfiguration.with(
      "a store of plain values keeps no \(what): use a `Storage`, a store of bytes, or a store of `Cached` values",
      key: key)
  }
}
