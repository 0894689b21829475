// The names of Cache by hyperoslo, for programs that migrate from it. Each refers to its name or replacement in Strata.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
public import StrataDisk
public import StrataMemory

extension Storage {
  /// Creates a store on disk with memory in front of it.
  @available(
    *, deprecated, message: "leave out the file manager: files are opened without one",
    renamed: "init(diskConfig:memoryConfig:transformer:)"
  )
  public convenience init(
    diskConfig: DiskConfig, memoryConfig: MemoryConfig = .init(), fileManager: FileManager,
    transformer: Transformer<Value>
  ) throws where Key: StorageKey {
    try self.init(diskConfig: diskConfig, memoryConfig: memoryConfig, transformer: transformer)
  }

  /// Returns a view of the same store as another type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U: Sendable>(transformer: Transformer<U>) -> Storage<Key, U> {
    transform(to: transformer)
  }
}

extension AsyncStorage {
  /// Returns a view of the same store as another type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U: Sendable>(transformer: Transformer<U>) -> AsyncStorage<Key, U> {
    transform(to: transformer)
  }

  /// Returns whether a value is stored that has not expired.
  @available(*, deprecated, renamed: "objectExists(forKey:completion:)")
  public func existsObject(
    forKey key: Key, completion: @escaping @Sendable (Result<Bool, any Error>) -> Void
  ) {
    objectExists(forKey: key, completion: completion)
  }
}
