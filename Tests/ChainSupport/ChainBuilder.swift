import Foundation
import Strata
import StrataLoading
import StrataParts
import StrataSodium
import StrataTestKit

/// Builds the chains of each shape over a back.
struct ChainBuilder {
  private let shape: ChainShape
  private let tiers: ChainTiers
  private let clock: StorageClock
  private let isAwaited: Bool
  private let ring: KeyRing

  init(_ shape: ChainShape, _ tiers: ChainTiers, clock: StorageClock, isAwaited: Bool) throws {
    (self.shape, self.tiers, self.clock, self.isAwaited) = (shape, tiers, clock, isAwaited)
    // The same key in each process.
    ring = KeyRing(try [UInt8](repeating: 7, count: 32).withUnsafeBytes { try SecretKey(bytes: $0) })
  }

  func build(_ back: any StorageAware<String, Data>) throws -> TestedChain {
    if let back = back as? any SyncStorageAware<String, Data> { return try buildSync(back) }
    return try buildAsync(back)
  }

  // MARK: Without await

  private func buildSync(_ back: some SyncStorageAware<String, Data>) throws -> TestedChain {
    switch shape {
    case .transformed:
      return transformed(
        records: back.transform(to: coded(ChainRecord.self)), numbers: back.transform(to: coded(Int.self)),
        bytes: back)
    case .typed: return faced(Storage(back: back, transformer: coded(ChainRecord.self)))
    case .inParts: return try overMemory(back.inParts())
    default: return try overMemory(back)
    }
  }

  private func overMemory(_ back: some SyncStorageAware<String, Data>) throws -> TestedChain {
    let transformer = coded(ChainRecord.self)
    func storage(
      _ front: some SyncStorageAware<String, TypeWrapper>
    ) -> Storage<String, ChainRecord> { Storage(front: front, back: back, transformer: transformer) }
    return try faced(storage(front()))
  }

  private func faced(_ storage: Storage<String, ChainRecord>) -> TestedChain {
    if isAwaited { return faced(storage.async) }
    var chain: TestedChain
    switch shape {
    case .loading:
      chain = loading(storage.loading { try await load($0) })
      chain.counters = storage.transform(to: Int.self).loading { _ in .absent() }
      chain.bytes = storage.transform(to: bytesOnly).loading { _ in .absent() }
      return finished(chain)
    case .delegated:
      chain = TestedChain(storage.cacheStrategy(.cache, memory: memory))
      chain.numbers = storage.transform(to: Int.self).cacheStrategy(.cache, memory: memory)
      chain.bytes = storage.transform(to: bytesOnly).cacheStrategy(.cache, memory: memory)
      chain.keepsCopies = true
    default:
      chain = TestedChain(storage)
      chain.numbers = storage.transform(to: Int.self)
      chain.bytes = storage.transform(to: bytesOnly)
    }
    let first = Owner()
    if shape == .observed {
      storage.addStorageObserver(first) { _, _, _ in }
      storage.addObserver(first, forKey: "key") { _, _, _ in }
    }
    chain.observers = [
      "addStorageObserver": { receive in
        let owner = Owner()
        let token = storage.addStorageObserver(owner) { _, _, change in receive(change) }
        return ObservationToken { withExtendedLifetime((owner, first)) { token.cancel() } }
      },
      "changes": { receive in observe(storage.changes, receive) },
    ]
    return finished(chain)
  }

  // MARK: With await

  private func buildAsync(_ back: some StorageAware<String, Data>) throws -> TestedChain {
    switch shape {
    case .transformed:
      return transformed(
        records: back.transform(to: coded(ChainRecord.self)), numbers: back.transform(to: coded(Int.self)),
        bytes: back)
    case .typed: return faced(AsyncStorage(back: back, transformer: coded(ChainRecord.self)))
    case .inParts: return try overMemory(waiting: back.inParts())
    default: return try overMemory(waiting: back)
    }
  }

  private func overMemory(waiting back: some StorageAware<String, Data>) throws -> TestedChain {
    let transformer = coded(ChainRecord.self)
    func storage(
      _ front: some StorageAware<String, TypeWrapper>
    ) -> AsyncStorage<String, ChainRecord> {
      AsyncStorage(front: front, back: back, transformer: transformer)
    }
    return try faced(storage(front()))
  }

  private func faced(_ storage: AsyncStorage<String, ChainRecord>) -> TestedChain {
    var chain: TestedChain
    switch shape {
    case .loading:
      chain = loading(storage.loading { try await load($0) })
      chain.counters = storage.transform(to: Int.self).loading { _ in .absent() }
      chain.bytes = storage.transform(to: bytesOnly).loading { _ in .absent() }
      return finished(chain)
    case .delegated:
      chain = TestedChain(storage.cacheStrategy(.cache, memory: memory))
      chain.numbers = storage.transform(to: Int.self).cacheStrategy(.cache, memory: memory)
      chain.bytes = storage.transform(to: bytesOnly).cacheStrategy(.cache, memory: memory)
      chain.keepsCopies = true
    default:
      chain = TestedChain(storage)
      chain.numbers = storage.transform(to: Int.self)
      chain.bytes = storage.transform(to: bytesOnly)
    }
    let first = shape == .observed ? (storage.changes, storage.changes(forKey: "key")) : nil
    chain.observers = [
      "changes": { receive in withExtendedLifetime(first) { observe(storage.changes, receive) } }
    ]
    return finished(chain)
  }

  // MARK: Both

  private func transformed(
    records: some StorageAware<String, ChainRecord>, numbers: some StorageAware<String, Int>,
    bytes: some StorageAware<String, Data>
  ) -> TestedChain {
    var chain = TestedChain(records)
    chain.numbers = numbers
    chain.bytes = bytes
    return finished(chain)
  }

  private func loading(_ store: LoadingStorage<String, ChainRecord>) -> TestedChain {
    var chain = TestedChain(store)
    chain.numbers = store.transform(to: Int.self)
    chain.removals = [
      "remove(tagged:)": { try await store.remove(tagged: Tag($0)) },
      "expireAll": { _ in try await store.expireAll() },
    ]
    chain.observers = [
      "addStorageObserver": { receive in
        let owner = Owner()
        let token = try store.addStorageObserver(owner) { _, _, change in receive(change) }
        return ObservationToken { withExtendedLifetime(owner) { token.cancel() } }
      }
    ]
    return chain
  }

  private func finished(_ chain: TestedChain) -> TestedChain {
    var chain = chain
    chain.hasFront = shape.hasMemory
    // Without an invalidation source, memory keeps what it has read.
    if shape.hasMemory && chain.records.invalidationSource == nil { chain.keepsCopies = true }
    return chain
  }

  private func load(_ request: LoadRequest<String, ChainRecord>) async throws -> Loaded<ChainRecord> {
    guard let record = tiers.load(request.key) else { return .absent() }
    return .value(record, tags: [Tag(request.key)])
  }

  private var memory: MemoryConfig { MemoryConfig(clock: clock) }

  /// Returns memory, or memory before a disk that belongs to this process alone.
  private func front() throws -> any SyncStorageAware<String, TypeWrapper> {
    let memory = tiers.front(MemoryStorage<String, TypeWrapper>(config: memory))
    guard shape == .threeTiers else { return memory }
    let disk = try DiskStorage<String>(
      config: DiskConfig(name: "near", directory: tiers.ownURL, clock: clock))
    func hybrid(
      _ front: some SyncStorageAware<String, TypeWrapper>, _ back: some SyncStorageAware<String, Data>
    ) -> any SyncStorageAware<String, TypeWrapper> { HybridStorage(front: front, back: back) }
    return hybrid(memory, tiers.near(disk))
  }

  private func coded<Value: Codable & Sendable>(_ type: Value.Type) -> Transformer<Value> {
    filtered(.codable(type))
  }

  private var bytesOnly: Transformer<Data> { filtered(.data) }

  private func filtered<Value>(_ transformer: Transformer<Value>) -> Transformer<Value> {
    switch shape {
    case .encrypted: transformer.encrypted(with: ring)
    case .compressed: transformer.zlib(level: 1)
    default: transformer
    }
  }

  /// Calls a closure for each change of a stream.
  private func observe(
    _ changes: AsyncStream<StorageChange<String>>,
    _ receive: @escaping @Sendable (StorageChange<String>) -> Void
  ) -> ObservationToken {
    let task = Task { for await change in changes { receive(change) } }
    return ObservationToken { task.cancel() }
  }
}

/// An observer.
private final class Owner: Sendable {}
