/// A store by other keys, each of which leads to one of its own and back.
@usableFromInline
struct MappedKeys<Base: StorageAware, Key: Hashable & Sendable>: StorageAware {
  @usableFromInline typealias Value = Base.Value

  @usableFromInline let base: Base
  @usableFromInline let mapTo: @Sendable (Base.Key) throws -> Key?
  @usableFromInline let mapFrom: @Sendable (Key) throws -> Base.Key
  /// The store's own is of another type. Copies of this view meet here; those of other views do not.
  @usableFromInline let ownHub = StorageHub<Key>()
  @usableFromInline let announcer: StorageAnnouncer<Key>?

  @usableFromInline
  init(
    _ base: Base, mapTo: @escaping @Sendable (Base.Key) throws -> Key?,
    mapFrom: @escaping @Sendable (Key) throws -> Base.Key
  ) {
    self.base = base
    self.mapTo = mapTo
    self.mapFrom = mapFrom
    announcer = base.announcer.map { StorageAnnouncer(of: [$0], mapTo) }
  }

  @usableFromInline var storageName: String { "mapKeys(to: \(Key.self))" }
  @usableFromInline var wrappedStorages: [any StorageDesign] { [base] }
  @inlinable var clock: StorageClock { base.clock }
  @inlinable var mayBlock: Bool { base.mayBlock }
  @inlinable var hub: StorageHub<Key>? { ownHub }
  @usableFromInline var leases: (any StorageLeasing<Key>)? {
    base.leases.map { MappedLeases<Base.Key, Key>(base: $0, inner: mapFrom) }
  }

  /// Nothing is at hand under a key that cannot be mapped: the read that follows says why.
  @inlinable
  func peek(forKey key: Key) -> Entry<Value>? {
    do { return base.peek(forKey: try mapFrom(key)) } catch { return nil }
  }

  @inlinable
  func inner(_ key: Key) throws -> Base.Key { try mapped(key, forKey: key, by: mapFrom) }

  @inlinable
  func outer(_ key: Base.Key) throws -> Key? { try mapped(key, forKey: key, by: mapTo) }

  /// Entries of the store by the keys that were asked for.
  @inlinable
  func outer(_ entries: [Base.Key: Entry<Value>], _ keys: [Key: Base.Key]) -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    found.reserveCapacity(entries.count)
    for (key, inner) in keys { found[key] = entries[inner] }
    return found
  }

  @inlinable
  func inner(_ keys: [Key]) throws -> [Key: Base.Key] {
    var inners: [Key: Base.Key] = [:]
    inners.reserveCapacity(keys.count)
    for key in keys { inners[key] = try inner(key) }
    return inners
  }

  @inlinable
  func inner(_ objects: [Key: Value]) throws -> [Base.Key: Value] {
    var inners: [Base.Key: Value] = [:]
    inners.reserveCapacity(objects.count)
    for (key, object) in objects { inners[try inner(key)] = object }
    return inners
  }
}
