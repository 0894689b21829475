#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A byte store as a tier of a typed chain: its bytes as `TypeWrapper`s. `transform(to:)` of a byte store makes one.
///
/// ```swift
/// let users = TypeWrapperStorage(ByteTier(disk), transformer: .codable(User.self))   // disk.transform(to: User.self)
/// ```
///
/// It updates values atomically, and has conditional writes, if the byte store does.
public struct ByteTier<Base: StorageAware>: StorageAware where Base.Value == Data {
  /// The type of the byte store's keys.
  public typealias Key = Base.Key
  /// Values are wrappers of bytes, and of the objects that views decode from them.
  public typealias Value = TypeWrapper

  /// The byte store.
  public let base: Base
  /// The base, if it takes the values of a batch one at a time; `nil` for other stores.
  let taker: WrapperTaker<Key>?
  /// The base, if its updates tell the versions of entries; `nil` for other stores.
  @usableFromInline let versioned: VersionedBase<Key>?

  /// Creates a tier over a byte store.
  public init(_ base: Base) {
    self.base = base
    taker = WrapperTaker(base)
    versioned = VersionedBase(base)
  }

  /// The byte store.
  public var wrappedStorages: [any StorageDesign] { [base] }
  /// The clock of the byte store.
  @inlinable
  public var clock: StorageClock { base.clock }
  /// Whether the byte store may block.
  @inlinable
  public var mayBlock: Bool { base.mayBlock }
  /// The coordinator of the byte store.
  @inlinable
  public var coordinator: StorageCoordinator<Key>? { base.coordinator }
  /// The invalidation source of the byte store.
  @inlinable
  public var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }

  @inlinable
  func shown(_ entry: Entry<Data>) -> Entry<TypeWrapper> { entry.map { TypeWrapper(data: $0) } }
}

extension ByteTier: ConditionalStorage where Base: ConditionalStorage {}

extension ByteTier: SyncConditionalStorage where Base: SyncConditionalStorage {}
