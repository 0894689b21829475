#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Two tiers as one store: a fast one in front, a lasting one behind.
///
/// - A read asks the front first; what it finds in the back it puts in front, with its own expiry.
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

  /// The tier that is asked first.
  public let front: Front
  /// The tier that decides what is stored.
  public let back: Back
  @usableFromInline let tiers = KeyOrder<Key>()
  @usableFromInline let ownHub = StorageHub<Key>()

  /// Puts one tier in front of another.
  @inlinable
  public init(front: Front, back: Back) {
    self.front = front
    self.back = back
  }

  /// The two tiers, the front first.
  public var wrappedStorages: [any StorageDesign] { [front, back] }
  /// The clock of the front. Give both tiers the same.
  @inlinable
  public var clock: StorageClock { front.clock }
  /// Whether one of the tiers may block.
  public var mayBlock: Bool { front.mayBlock || back.mayBlock }
  /// That of the back, since it decides what is stored.
  public var hub: StorageHub<Key>? { back.hub ?? front.hub ?? ownHub }

  /// What the front has at hand.
  @inlinable
  public func peek(forKey key: Key) -> Entry<TypeWrapper>? { front.peek(forKey: key) }

  @inlinable
  func isLive(_ entry: Entry<TypeWrapper>?) -> Bool { entry.map { !$0.expiry.isExpired(by: clock) } ?? false }

  /// The bytes to store, made before anything is changed.
  @usableFromInline
  func bytes(of object: TypeWrapper, forKey key: Key) throws -> Data {
    do { return try object.data() } catch let error as StorageError { throw error.with(key: key) }
  }

  /// The error to throw when a tier failed and then the front did not even drop the key.
  @usableFromInline
  func doubleFault(_ error: any Error, _ second: any Error, forKey key: (any Sendable)? = nil) -> StorageError
  {
    StorageError.backendFailed.with(
      "a tier failed, and the front tier may still hold an old value since it failed too: \(second)",
      key: key,
      cause: error)
  }
}
