import Foundation
import Strata
import StrataParts
import StrataTestKit
import TestSupport

extension Combinator {
  private func subject<Store: StorageAware<String, Data>>(
    _ open: @escaping @Sendable (Parts) -> Store,
    awaited: @escaping @Sendable (Store) -> AwaitedCalls
  ) -> Subject {
    Subject(
      rawValue, except: except, hasAtomicEntries: !except.contains(.atomicBatches),
      open: { open(Parts(at: $0)) }, awaited: awaited)
  }

  /// Calls with `await` are written out for each combinator: its type decides which function is called.
  var subject: Subject {
    switch self {
    case .tiers:
      subject { parts in
        TypeWrapperStorage(
          HybridStorage(front: parts.live, back: parts.store), transformer: Transformer<Data>.data)
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .transformed:
      subject { parts in
        parts.store.transform(to: Transformer<Data>.codable(Data.self))
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .compressed:
      subject { parts in
        parts.store.transform(to: Transformer<Data>.data.zlib(level: 1))
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .combined:
      subject { parts in
        parts.memory.combined(with: parts.store)
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .combinedWithSlow:
      subject { parts in
        parts.memory.combined(with: Bent.slow(parts.store))
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .backed:
      subject { parts in
        parts.memory.backed(by: DictionaryStorage<String, Data>(clock: parts.store.clock))
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .pushing:
      subject { parts in
        parts.store.pushing(to: parts.memory)
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .zipped:
      subject { parts in
        zip(parts.store, parts.lengths).mapValues(
          to: Data.self, mapTo: { $0.0 }, mapFrom: { ($0, Data("\($0.count)".utf8)) })
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .serial:
      subject { parts in
        parts.store.serial()
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .mappedKeys:
      subject { parts in
        parts.store.mapKeys(
          to: String.self, mapTo: { $0.hasSuffix("/mine") ? String($0.dropLast(5)) : nil },
          mapFrom: { "\($0)/mine" })
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .mappedValues:
      subject { parts in
        parts.store.mapValues(
          to: Data.self, mapTo: { Data($0.dropFirst()) }, mapFrom: { Data([0x2A]) + $0 })
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .asyncMappedValues:
      subject { parts in
        parts.store.mapValues(
          to: Data.self,
          mapTo: { data in
            await Task.yield()
            return Data(data.dropFirst())
          },
          mapFrom: { Data([0x2A]) + $0 })
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .inParts:
      subject { parts in
        parts.store.inParts()
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .recovering:
      subject { parts in
        parts.store.recover { throw $0 }
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .cached:
      subject { parts in
        parts.store.cacheStrategy(.cache, memory: parts.config)
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .cachedOnFailure:
      subject { parts in
        parts.store.cacheStrategy(.cacheOnFailure, memory: parts.config)
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .obscured:
      subject { parts in
        parts.store.obscureWrappedStorages()
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .faceOverSlow:
      subject { parts in
        AsyncStorage(
          TypeWrapperStorage(
            HybridStorage(front: parts.live, back: Bent.slow(parts.store)),
            transformer: Transformer<Data>.data))
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    case .slow:
      subject { parts in
        Bent.slow(parts.store)
      } awaited: { store in
        AwaitedCalls(
          expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
          removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
          replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
          entries: { try await store.entries(forKeys: $0) },
          setObjects: { try await store.setObjects($0, expiry: $1) },
          removeObjects: { try await store.removeObjects(forKeys: $0) },
          setEntries: { try await store.setEntries($0) })
      }
    }
  }
}
