import BenchHarness
import Foundation
import Strata

extension ChainCosts {
  /// Returns rows for hits through a loader, which is never called, against the same store without it.
  func loadingRows() throws -> [Row] {
    let value = value
    let memory = MemoryStorage<String, Cached<Data>>()
    let (storage, plain) = (overMemory(), overMemory())
    let policy = LoadPolicy(freshFor: .seconds(86_400))
    let loadingMemory = memory.loading(policy) { (_: LoadRequest<String, Data>) in .value(value) }
    let loadingStorage = storage.loading(policy) { _ in .value(value) }
    try waiting {
      for key in keys {
        try await loadingMemory.setObject(value, forKey: key, expiry: nil)
        try await loadingStorage.setObject(value, forKey: key, expiry: nil)
        try await plain.async.setObject(value, forKey: key, expiry: nil)
      }
    }
    return [
      Row(
        name: "hit, loading over MemoryStorage", wanted: 1.3,
        chain: each(awaiting: { try await loadingMemory.object(forKey: $0).count }),
        byHand: each { try memory.object(forKey: $0).value?.count ?? 0 }),
      Row(
        name: "hit, loading over Storage, beside AsyncStorage", wanted: 1.3,
        chain: each(awaiting: { try await loadingStorage.object(forKey: $0).count }),
        byHand: each(awaiting: { try await plain.async.object(forKey: $0).count })),
    ]
  }
}
