import Foundation
import Strata
import StrataTestKit
import TestSupport

/// The links and combinators, each between a user and stores that keep every promise: it has to hand on what they
/// promise.
enum Combinator: String, CaseIterable, Sendable {
  case tiers, transformed, compressed, combined, combinedWithSlow, backed, pushing, zipped, serial,
    mappedKeys, mappedValues, asyncMappedValues
  case recovering, cached, cachedOnFailure, obscured, faceOverSlow, slow

  var except: Set<Contract> {
    // The stores below are shared by all of one process.
    var except: Set<Contract> = [.severalProcesses, .survivingKill, .fullDisk, .readOnlyFolder]
    switch self {
    case .tiers, .combined, .combinedWithSlow, .cached, .faceOverSlow:
      // A memory of its own hears nothing of other writers, and is written key by key.
      except.formUnion([.severalHandles, .atomicBatches, .sortedKeys])
    case .cachedOnFailure: except.formUnion([.atomicBatches, .sortedKeys])
    case .backed: except.formUnion(Set<Contract>.ofPersistence.union([.atomicBatches, .sortedKeys]))
    case .zipped: except.insert(.atomicBatches)
    // Its keys come in the order of those below, which end differently.
    case .mappedKeys: except.insert(.sortedKeys)
    default: break
    }
    return except
  }
}

/// What the links are put between.
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
