import Foundation
import Strata
import StrataTestKit

/// Chains of bytes on disk.
enum ChainKind: String, CaseIterable, Sendable {
  case storage, asyncStorage, compressedThreeTiers

  var subject: Subject {
    let except: Set<Contract> = [.atomicBatches, .sortedKeys, .severalHandles, .severalProcesses]
    guard self == .storage else { return Subject(rawValue, except: except) { place in try open(at: place) } }
    return Subject(rawValue, except: except) { place in
      try storage(at: place)
    } awaited: { store in
      AwaitedCalls(
        expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
        removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
        entries: { try await store.entries(forKeys: $0) },
        setObjects: { try await store.setObjects($0, expiry: $1) },
        removeObjects: { try await store.removeObjects(forKeys: $0) })
    }
  }

  private func storage(at place: Place) throws -> Storage<String, Data> {
    let memory = MemoryStorage<String, TypeWrapper>(
      config: MemoryConfig(expiry: place.expiry, clock: place.clock))
    let disk = try DiskStorage<String>(
      config: DiskConfig(name: "main", expiry: place.expiry, directory: place.url, clock: place.clock))
    return Storage(front: memory, back: disk, transformer: .data)
  }

  private func open(at place: Place) throws -> any StorageAware<String, Data> {
    func disk(_ name: String) throws -> DiskStorage<String> {
      try DiskStorage(
        config: DiskConfig(name: name, expiry: place.expiry, directory: place.url, clock: place.clock))
    }
    let memory = MemoryStorage<String, TypeWrapper>(
      config: MemoryConfig(expiry: place.expiry, clock: place.clock))
    switch self {
    case .storage: return try storage(at: place)
    case .asyncStorage: return try storage(at: place).async
    case .compressedThreeTiers:
      return Storage(
        front: HybridStorage(front: memory, back: try disk("near")), back: try disk("far"),
        transformer: Transformer<Data>.data.zlib(level: 1))
    }
  }
}
