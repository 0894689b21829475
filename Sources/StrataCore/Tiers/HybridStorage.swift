#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store of two tiers: a fast tier in front of a durable one.
///
/// ```swift
/// let tiers = HybridStorage(front: MemoryStorage<String, TypeWrapper>(), back: disk)
/// let users = Storage(TypeWrapperStorage(tiers, transformer: .codable(User.self)))
/// ```
///
/// - A read looks in the front first, and copies an entry found in the back to the front. The copy expires as in the
///   back, or by the front's own expiry if that is earlier. An `update` keeps the expiry of each tier.
/// - A write goes to the back first. If it fails, the front drops the key and the error is thrown, so that the next
///   read returns the back's value.
/// - A removal works in the same way. Whatever fails, the front never holds an entry that the back does not have.
///
/// Tiers nest: a hybrid store can be the front of another, for example memory, disk and server. Operations on one key
/// are ordered, so a slow read never replaces a newer write in the front with an old value.
public struct HybridStorage<Front: StorageAware, Back: StorageAware>: StorageAware
where Front.Key == Back.Key, Front.Value == TypeWrapper, Back.Value == Data {
  /// The type of the keys of both tiers.
  public typealias Key = Front.Key
  /// Values are wrappers of an object, its bytes, or both.
  public typealias Value = TypeWrapper

  /// The two tiers with the same type of values, combined as by `combined(with:)`.
  @usableFromInline let tiers: CombinedStorage<Front, ByteTier<Back>>

  /// Creates a store of two tiers.
  public init(front: Front, back: Back) {
    tiers = CombinedStorage(front: front, back: ByteTier(back))
  }

  /// The tier that is read first.
  public var front: Front { tiers.front.base }
  /// The authoritative tier.
  public var back: Back { tiers.back.base.base }

  /// The two tiers, the front first.
  public var wrappedStorages: [any StorageDesign] { [front, back] }
  /// The clock of the front. Use the same clock for both tiers.
  @inlinable
  public var clock: StorageClock { tiers.clock }
  /// Always `true`: even with tiers that never block, a call may wait for its key's turn.
  public var mayBlock: Bool { tiers.mayBlock }
  /// The coordinator of the back, which is authoritative; the front's coordinator if the back has none.
  public var coordinator: StorageCoordinator<Key>? { tiers.coordinator }
  /// The invalidation source of the back.
  public var invalidationSource: InvalidationSource<Key>? { tiers.invalidationSource }

  /// `peek` forwards to the front.
  public var traits: StoreTraits {
    var traits = tiers.traits
    traits.peeked = front
    traits.suspectFlag = tiers.suspectFlag
    return traits
  }

  @usableFromInline var tiersOfChain: [StorageTier] { tiers.traits.tiers }

  /// Returns the front's cached entry.
  @inlinable
  public func peek(forKey key: Key) -> Entry<TypeWrapper>? { tiers.peek(forKey: key) }

  /// Returns the result of `body` for the entry that `peek` would return, without copying it. `body` may run while the
  /// memory is locked: it must not use a store.
  @inlinable
  @inline(__always)
  public func _withCachedObject<R: Sendable>(
    forKey key: Key, _ body: (UnsafePointer<TypeWrapper>, Expiry) -> R?
  ) -> R? {
    tiers._withCachedObject(forKey: key, body)
  }

  /// Encodes the value before anything is changed. The wrapper keeps the bytes.
  @inlinable
  func encode(_ object: TypeWrapper, forKey key: Key) throws { _ = try object.data(forKey: key) }
}

extension HybridStorage: ConditionalStorage where Back: ConditionalStorage {}

extension HybridStorage: SyncConditionalStorage where Front: SyncStorageAware, Back: SyncConditionalStorage {}
