import Foundation
import Strata
import StrataTestKit

/// Chains of bytes on disk.
enum ChainKind: String, CaseIterable, Sendable {
  case storage, asyncStorage, compressedThreeTiers

  var subject: Subject {
    let except: Set<Contract> = [.atomicBatches, .sortedKeys, .severalHandles, .severalProcesses]
    switch self {
    case .storage, .compressedThreeTiers:
      return Subject(rawValue, except: except) { place in
        try self == .storage ? storage(at: place) : compressedThreeTiers(at: place)
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          update: { try await store.update(forKey: $0, $1) },
          setIfAbsent: { try await store.setIfAbsent($0, forKey: $1, expiry: $2) },
          touch: { try await store.touch(forKey: $0, expiry: $1) })
      }
    case .asyncStorage:
      return Subject(rawValue, except: except) { place in
        try storage(at: place).async
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          update: { try await store.update(forKey: $0, $1) },
          setIfAbsent: { try await store.setIfAbsent($0, forKey: $1, expiry: $2) },
          touch: { try await store.touch(forKey: $0, expiry: $1) })
      }
    }
  }

  private func memory(at place: Place) -> MemoryStorage<String, TypeWrapper> {
    MemoryStorage(config: MemoryConfig(expiry: place.expiry, clock: place.clock))
  }

  private func disk(_ name: String, at place: Place) throws -> DiskStorage<String> {
    try DiskStorage(
      config: DiskConfig(name: name, expiry: place.expiry, directory: place.url, clock: place.clock))
  }

  private func storage(at place: Place) throws -> Storage<String, Data> {
    Storage(front: memory(at: place), back: try disk("main", at: place), transformer: .data)
  }

  private func compressedThreeTiers(at place: Place) throws -> Storage<String, Data> {
    Storage(
      front: HybridStorage(front: memory(at: place), back: try disk("near", at: place)),
      back: try disk("far", at: place), transformer: Transformer<Data>.data.zlib(level: 1))
  }
}
