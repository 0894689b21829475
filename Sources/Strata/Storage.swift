#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
public import StrataDisk
public import StrataMemory

/// A typed store: saves and loads values of one type through a chain of tiers.
///
/// Every function runs on the calling thread and may block it. `async` is the same store for code that must not block.
/// Operations on one key never interleave, whether they are called on the store or on `async`. It can be used from any
/// thread.
///
/// ```swift
/// let users = try Storage<String, User>(
///   diskConfig: DiskConfig(name: "users"), transformer: .codable(User.self).zlib())
/// try users.setObject(ada, forKey: "ada")
/// let user = try users.object(forKey: "ada")
/// ```
public final class Storage<Key: Hashable & Sendable, Value: Sendable>: SyncStorageAware {
  @usableFromInline typealias Typed = TypeWrapperStorage<ObservedStorage<Key>, Value>

  /// The same store for code that must not block: the same memory, disk, order and observers.
  public let async: AsyncStorage<Key, Value>
  @usableFromInline let chain: Chain<Key>
  @usableFromInline let transformer: Transformer<Value>
  @usableFromInline let ordered: SyncStorage<Typed>
  @usableFromInline let soleTier: SoleTier<Key, Value>?

  /// Creates a store on disk with memory in front of it.
  ///
  /// Throws if the folder cannot be used. `totalCostLimit` of the memory counts the bytes that values have on disk.
  ///
  /// Each `Storage` has its own memory, which does not notice changes of the same folder by another `Storage` or
  /// process. It returns its copy until the copy expires, is evicted, or is dropped by `removeInMemoryObject(forKey:)`.
  /// If several write to one folder, share one `Storage` and its views (`transform(to:)`), or use
  /// `Storage(back:transformer:)` over a `DiskStorage`, which reads the disk each time. `update` and conditional writes
  /// always change what the disk has.
  @inlinable
  public convenience init(
    diskConfig: DiskConfig, memoryConfig: MemoryConfig = .init(), transformer: Transformer<Value>
  ) throws where Key: StorageKey {
    self.init(
      front: MemoryStorage<Key, TypeWrapper>(config: memoryConfig),
      back: try DiskStorage<Key>(config: diskConfig), transformer: transformer)
  }

  /// Creates a store on two tiers.
  @inlinable
  public convenience init(
    front: some SyncStorageAware<Key, TypeWrapper>, back: some SyncStorageAware<Key, Data>,
    transformer: Transformer<Value>
  ) {
    let tiers = HybridStorage(front: front, back: back)
    self.init(
      chain: Chain(tiers), transformer: TypeWrapperStorage(tiers, transformer: transformer).transformer)
  }

  /// Creates a store on two tiers, of which the back updates values.
  @inlinable
  public convenience init(
    front: some SyncStorageAware<Key, TypeWrapper>,
    back: some SyncStorageAware<Key, Data> & SyncUpdateableStorage<Key, Data>, transformer: Transformer<Value>
  ) {
    let tiers = HybridStorage(front: front, back: back)
    self.init(
      chain: Chain(tiers), transformer: TypeWrapperStorage(tiers, transformer: transformer).transformer)
  }

  /// Creates a store on one tier of bytes, for example a disk, without memory in front. Each read decodes the value.
  ///
  /// ```swift
  /// let users = try Storage(
  ///   back: DiskStorage<String>(config: DiskConfig(name: "users")), transformer: .codable(User.self))
  /// ```
  @inlinable
  public convenience init(back: some SyncStorageAware<Key, Data>, transformer: Transformer<Value>) {
    self.init(TypeWrapperStorage(ByteTier(back), transformer: transformer, bytes: DirectBytes(back)))
  }

  /// Creates a store on one tier of bytes that updates values.
  @inlinable
  public convenience init(
    back: some SyncStorageAware<Key, Data> & SyncUpdateableStorage<Key, Data>, transformer: Transformer<Value>
  ) {
    self.init(TypeWrapperStorage(ByteTier(back), transformer: transformer, bytes: DirectBytes(back)))
  }

  /// Creates a store over a chain of links that updates values.
  @inlinable
  public convenience init(
    _ chain: TypeWrapperStorage<
      some SyncStorageAware<Key, TypeWrapper> & SyncUpdateableStorage<Key, TypeWrapper>, Value
    >
  ) {
    self.init(chain: Chain(ErasedTier(chain.inner), bytes: chain.bytes), transformer: chain.transformer)
  }

  /// Creates a store over a chain of links. It orders the operations on each key.
  @inlinable
  public convenience init(_ chain: TypeWrapperStorage<some SyncStorageAware<Key, TypeWrapper>, Value>) {
    let inner = chain.inner
    self.init(
      chain: Chain(ErasedTier(inner), bytes: chain.bytes), transformer: chain.transformer)
  }

  /// Creates a view of a synchronous chain.
  @usableFromInline
  init(chain: Chain<Key>, transformer: Transformer<Value>) {
    async = AsyncStorage(chain: chain, transformer: transformer)
    guard let ordered = async.ordered else { preconditionFailure("made of a synchronous chain only") }
    self.chain = chain
    self.transformer = transformer
    self.ordered = ordered
    soleTier = async.soleTier
  }

  /// The link that orders the operations on each key.
  public var wrappedStorages: [any StorageDesign] { [ordered] }
  /// The clock of the memory tier.
  public var clock: StorageClock { chain.clock }
  /// Whether a tier may block.
  public var mayBlock: Bool { ordered.mayBlock }
  /// Always `nil`: this store already orders its own operations.
  public var coordinator: StorageCoordinator<Key>? { nil }
  /// The invalidation source of the chain, or `nil` if it has none.
  public var invalidationSource: InvalidationSource<Key>? { chain.invalidationSource }

  /// The number of bytes that the disk tier uses, or `nil` without one.
  public var totalDiskStorageSize: Int? { Self.diskSize(of: ordered) }

  private static func diskSize(of storage: any StorageDesign) -> Int? {
    if let disk = storage as? any SizedOnDisk { return disk.totalSize }
    return storage.wrappedStorages.lazy.compactMap(diskSize).first
  }
}

/// A store that reports the number of bytes that it uses on disk.
private protocol SizedOnDisk { var totalSize: Int { get } }
extension DiskStorage: SizedOnDisk {}

extension Storage {
  /// With `await`, an operation may suspend: if the chain may block, another thread runs it.
  public var traits: StoreTraits { .suspending(over: chain.tiers) }
}
