import Foundation
import Strata
import StrataTestKit

/// Chains of bytes on disk.
enum ChainKind: String, CaseIterable, Sendable {
  case storage, asyncStorage, compressedThreeTiers

  var subject: Subject {
    Subject(rawValue, except: [.atomicBatches, .sortedKeys, .severalHandles, .severalProcesses]) { place in
      try open(at: place)
    }
  }

  private func open(at place: Place) throws -> any StorageAware<String, Data> {
    func disk(_ name: String) throws -> DiskStorage<String> {
      try DiskStorage(
        config: DiskConfig(name: name, expiry: place.expiry, directory: place.url, clock: place.clock))
    }
    let memory = MemoryStorage<String, TypeWrapper>(
      config: MemoryConfig(expiry: place.expiry, clock: place.clock))
    switch self {
    case .storage: return Storage(front: memory, back: try disk("main"), transformer: .data)
    case .asyncStorage: return Storage(front: memory, back: try disk("main"), transformer: .data).async
    case .compressedThreeTiers:
      return Storage(
        front: HybridStorage(front: memory, back: try disk("near")), back: try disk("far"),
        transformer: Transformer<Data>.data.zlib(level: 1))
    }
  }
}
