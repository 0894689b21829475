public import StrataCore
public import StrataMemory

extension Storage {
  /// Unavailable: a store in memory alone needs no transformer.
  @available(*, unavailable, message: "a store in memory alone is `MemoryStorage<Key, Value>(config:)`")
  public convenience init(memoryConfig: MemoryConfig = .init(), transformer: Transformer<Value>? = nil) {
    preconditionFailure()
  }
}
