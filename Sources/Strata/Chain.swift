#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
public import StrataMemory
public import Synchronization

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
  /// chain. It is `nil` while the memory has listeners: reads then use `direct`, and report their hits.
  @usableFromInline let memory: Atomic<Unmanaged<Memory>?>
  /// The tiers, with what reports their operations.
  let tiers: [StorageTier]
  /// The reporter of the tier that `peek` reads, which does not report them. Not retained by hits; `tiers` keeps it
  /// alive.
  @usableFromInline let front: Unmanaged<TierReporter<Key>>?
  /// The registration with `front` that switches `memory`.
  private let following = Locked<Int?>(nil)
  /// `memory`, also while it has listeners.
  @usableFromInline let direct: Unmanaged<Memory>?
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
  convenience init(_ erased: ErasedTier<Key>, bytes: DirectBytes<Key>? = nil) {
    self.init(erased.base, tiers: erased.tiers, peek: erased.look) {
      .sync(ObservedStorage(erased, bytes: bytes, shared: $0))
    }
  }

  @usableFromInline
  convenience init(_ tier: any StorageAware<Key, TypeWrapper>, tiers: [StorageTier], peek: @escaping Peek) {
    self.init(tier, tiers: tiers, peek: peek) { .async(AsyncObservedStorage(tier, shared: $0)) }
  }

  /// - Parameter observed: returns the tiers, with every change recorded for the observers of a coordinator.
  private init(
    _ tier: any StorageAware<Key, TypeWrapper>, tiers: [StorageTier], peek: @escaping Peek,
    observed: (StorageCoordinator<Key>) -> Tier
  ) {
    coordinator = tier.coordinator ?? StorageCoordinator()
    clock = tier.clock
    self.peek = peek
    let (memory, suspectFlag) = Self.memory(of: tier)
    self.memory = Atomic(memory)
    direct = memory
    self.suspectFlag = suspectFlag
    soleTier = tier is Memory ? memory : nil
    self.tiers = tiers
    front = (tiers.first?.reporter as? TierReporter<Key>).map { .passUnretained($0) }
    self.tier = observed(coordinator)
    follow(memory)
  }

  deinit {
    if let id = following.withLock({ $0 }) { front?._withUnsafeGuaranteedRef { $0.removeSwitch(id) } }
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

  /// Creates the chain of two tiers, of which the back updates values.
  @inlinable
  convenience init<Back: SyncStorageAware<Key, Data> & SyncUpdateableStorage>(
    _ tiers: HybridStorage<some SyncStorageAware<Key, TypeWrapper>, Back>
  ) {
    self.init(ErasedTier(ofOneChain: tiers))
  }

  /// Creates the chain of a tier; it is synchronous if the tier is.
  @inlinable
  convenience init<T: StorageAware<Key, TypeWrapper>>(anyOf tier: T) {
    if let sync = tier as? any SyncStorageAware<Key, TypeWrapper> {
      self.init(ErasedTier(sync))
    } else {
      let reported = ReportedTier(tier)
      self.init(reported, tiers: reported.tiers) { tier.peek(forKey: $0).map(Hit.init) }
    }
  }

  /// Detours around the memory while it has listeners.
  private func follow(_ memory: Unmanaged<Memory>?) {
    guard let memory, let front else { return }
    // Unowned: the switch is removed before this chain ends. A weak reference would make each retain of it slower.
    let chain = Unmanaged.passUnretained(self)
    following.withLock {
      $0 = front.takeUnretainedValue().onSwitch { isOn in
        chain._withUnsafeGuaranteedRef {
          $0.memory.store(isOn ? nil : memory, ordering: .sequentiallyConsistent)
        }
      }
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
    guard let suspectFlag, suspectFlag._withUnsafeGuaranteedRef({ $0.isSet }) else {
      return memory.load(ordering: .relaxed)
    }
    return nil
  }

  /// Returns the value if it is decoded in memory as this type and has not expired.
  @inlinable
  func liveObject<Value: Sendable>(_ key: Key, as transformer: Transformer<Value>) -> Value? {
    if let memory = trusted {
      return memory._withUnsafeGuaranteedRef { $0.liveObject(forKey: key, as: transformer) }
    }
    return reportedObject(key, as: transformer)
  }

  /// Returns an object of a memory that has listeners, or that must not be trusted.
  @inlinable
  @inline(never)
  func reportedObject<Value: Sendable>(_ key: Key, as transformer: Transformer<Value>) -> Value? {
    guard let reported else { return peekedEntry(key, as: transformer)?.object }
    guard let object = reported._withUnsafeGuaranteedRef({ $0.liveObject(forKey: key, as: transformer) })
    else { return nil }
    noteHit(key)
    return object
  }

  /// The memory tier, if it has listeners and all of its entries may be served.
  @inlinable
  var reported: Unmanaged<Memory>? {
    guard let suspectFlag, suspectFlag._withUnsafeGuaranteedRef({ $0.isSet }) else { return direct }
    return nil
  }

  /// Returns the entry if `peek` finds it, decoded as this type and not expired. Reports the hit.
  @usableFromInline
  func peekedEntry<Value: Sendable>(_ key: Key, as transformer: Transformer<Value>) -> Entry<Value>? {
    guard let hit = peek(key), !hit.expiry.isExpired(by: clock),
      let object = hit.wrapper.cachedObject(as: transformer)
    else { return nil }
    noteHit(key)
    return Entry(object: object, expiry: hit.expiry)
  }

  /// Returns the entry if it is decoded in memory as this type and has not expired.
  @inlinable
  func live<Value: Sendable>(_ key: Key, as transformer: Transformer<Value>) -> Entry<Value>? {
    if let memory = trusted {
      return memory._withUnsafeGuaranteedRef { $0.liveEntry(forKey: key, as: transformer) }
    }
    return reportedEntry(key, as: transformer)
  }

  /// Returns an entry of a memory that has listeners, or that must not be trusted.
  @inlinable
  @inline(never)
  func reportedEntry<Value: Sendable>(_ key: Key, as transformer: Transformer<Value>) -> Entry<Value>? {
    guard let reported else { return peekedEntry(key, as: transformer) }
    guard let entry = reported._withUnsafeGuaranteedRef({ $0.liveEntry(forKey: key, as: transformer) })
    else { return nil }
    noteHit(key)
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
    return reportedResult(key, as: transformer, body)
  }

  /// Returns the result of `body` for an object of a memory that has listeners, or that must not be trusted.
  @inlinable
  @inline(never)
  func reportedResult<Value: Sendable, R: Sendable>(
    _ key: Key, as transformer: Transformer<Value>, _ body: (UnsafePointer<Value>, Expiry) -> R?
  ) -> R? {
    let result =
      if let reported {
        reported._withUnsafeGuaranteedRef { $0._withCachedObject(forKey: key, as: transformer, body) }
      } else if let hit = peek(key) {
        hit.wrapper._withCachedObject(as: transformer) { body($0, hit.expiry) }
      } else {
        R?.none
      }
    if result != nil { noteHit(key) }
    return result
  }

  @inlinable
  func noteHit(_ key: Key) { front?._withUnsafeGuaranteedRef { $0.hit(key) } }

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
