#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Two tiers as one store: a fast one in front, a lasting one behind.
///
/// - A read asks the front first; what it finds in the back it puts in front. There it expires as in the back, or by
///   the front's own expiry if that is earlier. An `update` keeps the expiry of each tier.
/// - A write goes to the back first. If that fails, the front drops the key and the error is thrown, so that the next
///   read sees what is really stored.
/// - A removal does the same. Whatever fails, the front never holds what the back does not.
///
/// Tiers nest: a hybrid can be the front of another, memory before disk before a server. Operations on one key are kept
/// in order, so that a slow read never puts an old value in front of a newer write.
public struct HybridStorage<Front: StorageAware, Back: StorageAware>: StorageAware
where Front.Key == Back.Key, Front.Value == TypeWrapper, Back.Value == Data {
  /// The keys of both tiers.
  public typealias Key = Front.Key
  /// What passes through is an object, its bytes, or both.
  public typealias Value = TypeWrapper

  /// The two tiers with values of one kind, whose rules are those of `combined(with:)`.
  @usableFromInline let tiers: CombinedStorage<Front, ByteTier<Back>>

  /// Puts one tier in front of another.
  public init(front: Front, back: Back) {
    tiers = CombinedStorage(front: front, back: ByteTier(back))
  }

  /// The tier that is asked first.
  public var front: Front { tiers.front }
  /// The tier that decides what is stored.
  public var back: Back { tiers.back.bytes }

  /// The two tiers, the front first.
  public var wrappedStorages: [any StorageDesign] { [front, back] }
  /// The clock of the front. Give both tiers the same.
  @inlinable
  public var clock: StorageClock { tiers.clock }
  /// Always: even over tiers that never do, a call may have to wait for its turn.
  public var mayBlock: Bool { tiers.mayBlock }
  /// That of the back, since it decides what is stored.
  public var hub: StorageHub<Key>? { tiers.hub }
  /// That of the back.
  public var announcer: StorageAnnouncer<Key>? { tiers.announcer }

  /// What the front has at hand.
  @inlinable
  public func peek(forKey key: Key) -> Entry<TypeWrapper>? { tiers.peek(forKey: key) }

  /// Makes the bytes to store, which the wrapper keeps, before anything is changed.
  @inlinable
  func encode(_ object: TypeWrapper, forKey key: Key) throws {
    do { _ = try object.data() } catch let error as StorageError { throw error.with(key: key) }
  }
}
