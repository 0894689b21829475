import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofBatches = [
    Fault(.batches, "loses the second half of a batch", "after setObjects") { bent in
      let base = bent.base
      bent.writeMany = { objects, expiry in
        let half = objects.sorted { $0.key < $1.key }.prefix(objects.count / 2)
        try await base.setObjects(Dictionary(uniqueKeysWithValues: Array(half)), expiry: expiry)
      }
    },
    Fault(.batches, "reads at most 999 keys at once", "entries(forKeys:) gives 999") { bent in
      let base = bent.base
      bent.readMany = { try await base.entries(forKeys: Array($0.prefix(999))) }
    },
    Fault(.batches, "removes all other entries with a batch", "after setObjects of other keys") { bent in
      let base = bent.base
      bent.writeMany = {
        try await base.removeAll()
        try await base.setObjects($0, expiry: $1)
      }
    },
    Fault(.batches, "keeps old expiries in batches", "has the expiry date") { bent in
      let base = bent.base
      bent.writeMany = { objects, expiry in
        for (key, value) in objects {
          let old = try await base.expiryIfPresent(forKey: key)
          try await base.setObject(value, forKey: key, expiry: old ?? expiry)
        }
      }
    },
    Fault(.batches, "throws for an empty batch", "it threw backendFailed") { bent in
      let base = bent.base
      bent.writeMany = {
        if $0.isEmpty { throw StorageError.backendFailed }
        try await base.setObjects($0, expiry: $1)
      }
    },
    Fault(.batches, "throws for a key that is requested twice", "it threw backendFailed") { bent in
      let base = bent.base
      bent.readMany = {
        if Set($0).count < $0.count { throw StorageError.backendFailed }
        return try await base.entries(forKeys: $0)
      }
    },
    Fault(.batches, "stops a batch of removals at an absent key", "after removeObjects") { bent in
      let base = bent.base
      bent.removeMany = {
        for key in ["absent"] + $0 {
          guard try await base.objectExists(forKey: key) else { return }
          try await base.removeObject(forKey: key)
        }
      }
    },
    Fault(.atomicBatches, "writes a batch key by key", "and after that") { bent in
      let base = bent.base
      bent.writeMany = { objects, expiry in
        for (key, value) in objects {
          try await base.setObject(value, forKey: key, expiry: expiry)
          await Task.yield()
        }
      }
    },
    Fault(.atomicBatches, "removes a batch key by key", "and after that") { bent in
      let base = bent.base
      bent.removeMany = {
        for key in $0 {
          try await base.removeObject(forKey: key)
          await Task.yield()
        }
      }
    },
    Fault(
      .atomicBatches, "writes a batch key by key, without a pause", "was read as batch", isBrief: true
    ) { bent in
      let base = bent.base
      bent.writeMany = { objects, expiry in
        for (key, value) in objects { try await base.setObject(value, forKey: key, expiry: expiry) }
      }
    },
    Fault(
      .atomicBatches, "reads the clock once and writes a batch key by key", "was read as batch", isBrief: true
    ) { bent in
      let base = bent.base
      bent.writeMany = { objects, expiry in
        let expiry = expiry?.resolved(by: base.clock)
        for (key, value) in objects { try await base.setObject(value, forKey: key, expiry: expiry) }
      }
    },
    Fault(
      .atomicBatches, "after a batch with a value", isBrief: true,
      Subject("keeps a batch up to a value that is too large", hugeValueSize: 4096) { place in
        var bent = Bent(Reference(at: place))
        let base = bent.base
        bent.writeMany = { objects, expiry in
          var stored: [String: Data] = [:]
          for (key, value) in objects {
            if value.count > 4096 {
              try await base.setObjects(stored, expiry: expiry)
              throw StorageError.tooLarge
            }
            stored[key] = value
          }
          try await base.setObjects(stored, expiry: expiry)
        }
        return bent
      }),
  ]
}
