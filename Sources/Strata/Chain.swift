#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
public import StrataMemory

/// The untyped part of a chain, shared by all of its typed views.
///
/// The types of the tiers are erased, except for the functions that are called most.
@usableFromInline
final class Chain<Key: Hashable & Sendable>: Sendable {
  @usableFromInline typealias Peek = @Sendable (Key) -> Hit?
  @usableFromInline typealias Memory = MemoryStorage<Key, TypeWrapper>

  @usableFromInline let peek: Peek
  /// The memory tier, if `peek` reads nothing else. It is read by code that is specialized for its type.
  ///
  /// Unmanaged, since retaining it would take longer than the rest of a hit. `tier` keeps it alive as long as this
  /// chain.
  @usableFromInline let memory: Unmanaged<Memory>?
  /// The memory, if the chain has no other tier.
  let soleTier: Unmanaged<Memory>?
  /// The flag that is set while entries of `memory` may be suspect. Meanwhile they may only be served through `peek`.
  @usableFromInline let suspectFlag: Unmanaged<SuspectFlag>?
  @usableFromInline let clock: StorageClock
  let tier: Tier
  @usableFromInline let coordinator: StorageCoordinator<Key>

  var invalidationSource: InvalidationSource<Key>? {
    switch tier {
    case .sync(let tier): tier.invalidationSource
    case .async(let tier): tier.invalidationSource
    }
  }

  /// The tiers, with every change recorded for observers.
  enum Tier {
    case sync(ObservedStorage<Key>)
    case async(AsyncObservedStorage<Key>)
  }

  @usableFromInline
  init(_ erased: ErasedTier<Key>, bytes: DirectBytes<Key>? = nil) {
    let tier = erased.base
    coordinator = tier.coordinator ?? StorageCoordinator()
    clock = tier.clock
    peek = erased.look
    (memory, suspectFlag) = Self.memory(of: tier)
    soleTier = tier is Memory ? memory : nil
    self.tier = .sync(ObservedStorage(erased, bytes: bytes, shared: coordinator))
  }

  @usableFromInline
  init(_ tier: any StorageAware<Key, TypeWrapper>, peek: @escaping Peek) {
    coordinator = tier.coordinator ?? StorageCoordinator()
    clock = tier.clock
    self.peek = peek
    (memory, suspectFlag) = Self.memory(of: tier)
    soleTier = nil
    self.tier = .async(AsyncObservedStorage(tier, shared: coordinator))
  }

  /// Creates the chain of two tiers.
  @inlinable
  convenience init(
    _ tiers: HybridStorage<
      some SyncStorageAware<Key, TypeWrapper>, some SyncStorageAware<Key, Data>
    >
  ) {
    self.init(ErasedTier(ofOneChain: tiers))
  }

  /// Creates the chain of a tier; it is synchronous if the tier is.
  @inlinable
  convenience init<T: StorageAware<Key, TypeWrapper>>(anyOf tier: T) {
    if let sync = tier as? any SyncStorageAware<Key, TypeWrapper> {
      self.init(ErasedTier(sync))
    } else {
      self.init(tier) { tier.peek(forKey: $0).map(Hit.init) }
    }
  }

  private static func memory(of tier: any StorageDesign) -> (Unmanaged<Memory>?, Unmanaged<SuspectFlag>?) {
    if let memory = tier as? Memory { return (.passUnretained(memory), nil) }
    let traits = tier.traits
    guard let peeked = traits.peeked else { return (nil, nil) }
    let (memory, suspectFlag) = Self.memory(of: peeked)
    // With two flags, entries are only read through `peek`, which checks both.
    if suspectFlag != nil, traits.suspectFlag != nil { return (nil, nil) }
    return (memory, suspectFlag ?? traits.suspectFlag)
  }

  /// Returns the memory tier, if all of its entries may be served.
  @inlinable
  @inline(__always)
  var trusted: Unmanaged<Memory>? {
    guard let suspectFlag, suspectFlag._withUnsafeGuaranteedRef({ $0.isSet }) else { return memory }
    return nil
  }

  /// Returns the value if it is decoded in memory as this type and has not expired.
  @inlinable
  func liveObject<Value: Sendable>(_ key: Key, as transformer: Transformer<Value>) -> Value? {
    if let memory = trusted {
      return memory._withUnsafeGuaranteedRef { $0.liveObject(forKey: key, as: transformer) }
    }
    guard let hit = peek(key), !hit.expiry.isExpired(by: clock) else { return nil }
    return hit.wrapper.cachedObject(as: transformer)
  }

  /// Returns the entry if it is decoded in memory as this type and has not expired.
  @inlinable
  func live<Value: Sendable>(_ key: Key, as transformer: Transformer<Value>) -> Entry<Value>? {
    if let memory = trusted {
      return memory._withUnsafeGuaranteedRef { $0.liveEntry(forKey: key, as: transformer) }
    }
    guard let entry = cached(key, as: transformer), !entry.expiry.isExpired(by: clock) else { return nil }
    return entry
  }

  /// Returns the entry if it is decoded in memory as this type.
  @inlinable
  func cached<Value: Sendable>(_ key: Key, as transformer: Transformer<Value>) -> Entry<Value>? {
    if let memory = trusted {
      return memory._withUnsafeGuaranteedRef { $0.liveEntry(forKey: key, as: transformer, orExpired: true) }
    }
    guard let hit = peek(key), let object = hit.wrapper.cachedObject(as: transformer) else { return nil }
    return Entry(object: object, expiry: hit.expiry)
  }

  /// Returns the result of `body` for an object that is decoded in memory as this type, without copying it.
  @inlinable
  @inline(__always)
  func _withCachedObject<Value: Sendable, R: Sendable>(
    _ key: Key, as transformer: Transformer<Value>, _ body: (UnsafePointer<Value>, Expiry) -> R?
  ) -> R? {
    if let memory = trusted {
      return memory._withUnsafeGuaranteedRef {
        $0._withCachedObject(forKey: key, as: transformer, body)
      }
    }
    guard let hit = peek(key) else { return nil }
    return hit.wrapper._withCachedObject(as: transformer) { body($0, hit.expiry) }
  }

  /// Returns the expiry of a value in memory, of any type, that has not expired.
  func liveExpiry(_ key: Key) -> Expiry? {
    guard let expiry = peek(key)?.expiry, !expiry.isExpired(by: clock) else { return nil }
    return expiry
  }

  /// Returns the entries of the keys that are in memory, and the remaining keys.
  func split<Value: Sendable>(
    _ keys: [Key], as transformer: Transformer<Value>
  ) -> (live: [Key: Entry<Value>], others: [Key]) {
    var live: [Key: Entry<Value>] = [:]
    var others: [Key] = []
    for key in keys {
      if let entry = self.live(key, as: transformer) { live[key] = entry } else { others.append(key) }
    }
    return (live, others)
  }
}
