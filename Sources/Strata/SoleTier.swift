import StrataCore
import StrataMemory

/// The memory of a chain that has no other tier, for writes that take no turn.
///
/// It retains none of its parts, which live as long as the store that holds it. All threads that write would contend
/// for their reference counts.
@usableFromInline
struct SoleTier<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let memory: Unmanaged<MemoryStorage<Key, TypeWrapper>>
  @usableFromInline let coordinator: Unmanaged<StorageCoordinator<Key>>
  @usableFromInline let maker: WrapperMaker<Value>

  /// Returns `nil` if the chain has other tiers.
  init?(_ chain: Chain<Key>, _ transformer: Transformer<Value>) {
    guard let memory = chain.soleTier else { return nil }
    self.memory = memory
    coordinator = .passUnretained(chain.coordinator)
    maker = WrapperMaker(transformer)
  }

  /// Replaces a value without taking the key's turn. Returns `false`, and changes nothing, if the key has no value, an
  /// operation has or waits for its turn, or there are observers or listeners.
  @inlinable
  func overwrite(_ wrapper: TypeWrapper, _ key: Key) throws -> Bool {
    if KeyOrder<Key>.isThreadInTurn || memory._withUnsafeGuaranteedRef({ $0.isReported }) { return false }
    // The closure that is called in memory captures no object, since it would retain it.
    let coordinator = coordinator
    return try memory._withUnsafeGuaranteedRef { memory in
      try memory.overwrite(wrapper, forKey: key) { hash in
        coordinator._withUnsafeGuaranteedRef { $0.isIdle(hash) }
      }
    }
  }
}
