import Foundation
import Strata
import StrataTestKit
import TestSupport

/// The combinators, each over stores that keep every contract, which the combinator must preserve.
enum Combinator: String, CaseIterable, Sendable {
  case tiers, transformed, compressed, combined, combinedWithSlow, backed, pushing, zipped, serial,
    mappedKeys, mappedValues, asyncMappedValues, inParts
  case recovering, cached, cachedOnFailure, obscured, faceOverSlow, slow

  var except: Set<Contract> {
    // All stores of one process share the inner stores.
    var except: Set<Contract> = [.severalProcesses, .survivingKill, .fullDisk, .readOnlyFolder]
    switch self {
    case .tiers, .combined, .combinedWithSlow, .cached, .faceOverSlow:
      // A front in memory is not informed of other writers, and is written key by key.
      except.formUnion([.severalHandles, .atomicBatches, .sortedKeys])
    case .cachedOnFailure: except.formUnion([.atomicBatches, .sortedKeys])
    case .backed: except.formUnion(Set<Contract>.ofPersistence.union([.atomicBatches, .sortedKeys]))
    case .zipped, .inParts: except.insert(.atomicBatches)
    // The keys are in the order of the inner store's keys, which have different suffixes.
    case .mappedKeys: except.insert(.sortedKeys)
    default: break
    }
    return except
  }
}

/// The stores that the combinators are applied to.
struct Parts {
  let store: Reference
  let lengths: Reference
  let config: MemoryConfig
  let memory: MemoryStorage<String, Data>
  let live: MemoryStorage<String, TypeWrapper>

  init(at place: Place) {
    store = Reference(at: place)
    lengths = Reference(at: place, "lengths")
    config = MemoryConfig(expiry: place.expiry, clock: place.clock)
    memory = MemoryStorage(config: config)
    live = MemoryStorage(config: config)
  }
}
