public import FoundationEssentials
@_exported public import StrataCore
public struct DiskConfig: Sendable { public init(name: String) {} }
public final class DiskStorage<Key: StorageKey>: SyncStorageAware {
  public typealias Value = Data
  public init(config: DiskConfig) throws {}
  public var totalSize: Int { 0 }
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? { nil }
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {}
  public func removeObject(forKey key: Key) throws {}
  public func removeAll() throws {}
  public func removeExpiredObjects() throws {}
  public func keys() throws -> [Key] { [] }
}
