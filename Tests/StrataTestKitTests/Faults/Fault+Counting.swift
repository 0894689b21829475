import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofCounting = [
    Fault(.conditions, "increments by a read and a write", "increments by") { bent in
      let base = bent.base
      bent.add = { key, amount in
        let entry = try await base.entryIfPresent(forKey: key).flatMap {
          $0.expiry.isExpired(by: base.clock) ? nil : $0
        }
        let sum = (entry.map { Bent.number($0.object) } ?? 0) + amount
        await Task.yield()
        try await base.setObject(Bent.digits(sum), forKey: key, expiry: entry?.expiry)
        return sum
      }
    },
    Fault(.conditions, "always adds 1", "an increment by -") { bent in
      let add = bent.add
      bent.add = { key, _ in try await add(key, 1) }
    },
    Fault(.conditions, "removes the expiry when incrementing", "after an increment, an entry has the expiry")
    {
      bent in
      let (change, add) = (bent.changeExpiry, bent.add)
      bent.add = { key, amount in
        let sum = try await add(key, amount)
        _ = try await change(key, .never)
        return sum
      }
    },
    Fault(.conditions, "continues an expired count", "of a count that had expired") { bent in
      let (base, add) = (bent.base, bent.add)
      bent.add = { key, amount in
        guard let old = try await base.entryIfPresent(forKey: key), old.expiry.isExpired(by: base.clock)
        else {
          return try await add(key, amount)
        }
        let sum = Bent.number(old.object) + amount
        try await base.setObject(Bent.digits(sum), forKey: key, expiry: nil)
        return sum
      }
    },
    Fault(.conditions, "continues a removed count", "of a count that was removed") { bent in
      let (add, remove) = (bent.add, bent.remove)
      let removed = Shared<[String: Int]>([:])
      let base = bent.base
      bent.remove = { key in
        if let number = try await base.objectIfPresent(forKey: key).map(Bent.number) {
          removed.change { $0[key] = number }
        }
        try await remove(key)
      }
      bent.add = { key, amount in
        let rest = removed.value[key] ?? 0
        removed.change { $0[key] = nil }
        return try await add(key, amount + rest)
      }
    },
  ]
}
