import Foundation
import Strata
import StrataTestKit
import TestSupport

/// The links and combinators, each between a user and stores that keep every promise: it has to hand on what they promise.
enum Combinator: String, CaseIterable, Sendable {
  case tiers, transformed, compressed, combined, combinedWithSlow, backed, pushing, zipped, serial,
    mappedKeys, mappedValues, asyncMappedValues
  case recovering, cached, cachedOnFailure, obscured, faceOverSlow, slow

  var subject: Subject { Subject(rawValue, except: except) { place in self.open(at: place) } }

  private var except: Set<Contract> {
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

  private func open(at place: Place) -> any StorageAware<String, Data> {
    let store = Reference(at: place)
    let config = MemoryConfig(expiry: place.expiry, clock: place.clock)
    let memory = MemoryStorage<String, Data>(config: config)
    let live = MemoryStorage<String, TypeWrapper>(config: config)
    switch self {
    case .tiers:
      return TypeWrapperStorage(HybridStorage(front: live, back: store), transformer: Transformer<Data>.data)
    case .transformed: return store.transform(to: Transformer<Data>.codable(Data.self))
    case .compressed: return store.transform(to: Transformer<Data>.data.zlib(level: 1))
    case .combined: return memory.combined(with: store)
    case .combinedWithSlow: return memory.combined(with: Bent.slow(store))
    case .backed: return memory.backed(by: DictionaryStorage<String, Data>(clock: place.clock))
    case .pushing: return store.pushing(to: memory)
    case .zipped:
      return zip(store, Reference(at: place, "lengths")).mapValues(
        to: Data.self, mapTo: { $0.0 }, mapFrom: { ($0, Data("\($0.count)".utf8)) })
    case .serial: return store.serial()
    case .mappedKeys:
      return store.mapKeys(
        to: String.self, mapTo: { $0.hasSuffix("/mine") ? String($0.dropLast(5)) : nil },
        mapFrom: { "\($0)/mine" })
    case .mappedValues:
      return store.mapValues(to: Data.self, mapTo: { Data($0.dropFirst()) }, mapFrom: { Data([0x2A]) + $0 })
    case .asyncMappedValues:
      return store.mapValues(
        to: Data.self,
        mapTo: { data in
          await Task.yield()
          return Data(data.dropFirst())
        },
        mapFrom: { Data([0x2A]) + $0 })
    case .recovering: return store.recover { throw $0 }
    case .cached: return store.cacheStrategy(.cache, memory: config)
    case .cachedOnFailure:
      return store.cacheStrategy(.cacheOnFailure, memory: config)
    case .obscured: return store.obscureWrappedStorages()
    case .faceOverSlow:
      return AsyncStorage(
        TypeWrapperStorage(
          HybridStorage(front: live, back: Bent.slow(store)), transformer: Transformer<Data>.data))
    case .slow: return Bent.slow(store)
    }
  }
}
