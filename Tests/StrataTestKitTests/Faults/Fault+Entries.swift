import Foundation
import StrataCore
import StrataTestKit

extension Bent {
  /// Returns a store that stores entries in one batch for each expiry, and lets other tasks run in between.
  fileprivate static func writingByExpiry(_ base: any StorageAware<String, Data>) -> Bent {
    var bent = Bent.slow(base)
    bent.writeEntries = nil
    return bent
  }
}

extension Fault {
  static let ofEntries = [
    Fault(.entries, "stores all entries with the expiry of one", "after setEntries") { bent in
      let base = bent.base
      bent.writeEntries = { entries in
        let objects = entries.mapValues(\.object)
        try await base.setObjects(objects, expiry: entries.values.first?.expiry)
      }
    },
    Fault(.entries, "stores entries that never expire with the default expiry", "after setEntries") { bent in
      let base = bent.base
      bent.writeEntries = { entries in
        for (key, entry) in entries {
          let expiry = entry.expiry == .never ? nil : entry.expiry
          try await base.setObject(entry.object, forKey: key, expiry: expiry)
        }
      }
    },
    Fault(.entries, "stores only keys without an entry", "after setEntries") { bent in
      let base = bent.base
      bent.writeEntries = { entries in
        for (key, entry) in entries {
          _ = try await base.change(key, .setIfAbsent(entry.object, entry.expiry), [])
        }
      }
    },
    Fault(.entries, "keeps an older date", "and not never") { bent in
      let base = bent.base
      bent.writeEntries = { entries in
        for (key, entry) in entries {
          let old = try await base.expiryIfPresent(forKey: key)
          let expiry = entry.expiry == .never ? old ?? .never : entry.expiry
          try await base.setObject(entry.object, forKey: key, expiry: expiry)
        }
      }
    },
    Fault(.entries, "takes the place of all there is", "after setEntries") { bent in
      let base = bent.base
      bent.writeEntries = {
        try await base.removeAll()
        try await base.setEntries($0)
      }
    },
    Fault(
      .entries, "and after that",
      Subject("stores a batch for each expiry", hasAtomicEntries: true) {
        Bent.writingByExpiry(Reference(at: $0))
      }),
    Fault(
      .bothWorlds, "with await on its own type, entries is broken",
      Subject("with await, stores a batch for each expiry", hasAtomicEntries: true) {
        Reference(at: $0)
      } awaited: { store in
        store.awaited(setEntries: { try await Bent.writingByExpiry(store).setEntries($0) })
      }),
  ]
}
