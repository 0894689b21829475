import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofExpiry = [
    Fault(.expiry, "ignores expiry", "and not a date") { $0.beforeWrites { value, _ in (value, .never) } },
    Fault(.expiry, "ignores the expiry of batches", "after the expiry of a batch") { bent in
      let base = bent.base
      bent.writeMany = { values, _ in try await base.setObjects(values, expiry: .never) }
    },
    Fault(.expiry, "returns expired values as valid", "s have passed") { bent in
      let (base, dates) = (bent.base, Shared<[String: Expiry]>([:]))
      bent.write = { value, key, expiry in
        let resolved = (expiry ?? .never).resolved(by: base.clock)
        try await base.setObject(value, forKey: key, expiry: .never)
        dates.change { $0[key] = resolved }
      }
      bent.read = { key in
        try await base.entryIfPresent(forKey: key).map {
          let expiry = dates.value[key] ?? .never
          return Entry(object: $0.object, expiry: expiry.isExpired(by: base.clock) ? .never : expiry)
        }
      }
    },
    Fault(.expiry, "uses another clock", "the entry expires at") { bent in
      bent.beforeWrites { ($0, $1?.resolved(by: .system)) }
    },
    Fault(.expiry, "stores dates in 32 bits", "with an expiry in") { bent in
      bent.beforeWrites { value, expiry in
        guard case .date(let date) = expiry, date.timeIntervalSince1970 > Double(Int32.max) else {
          return (value, expiry)
        }
        return (value, .date(Date(timeIntervalSince1970: date.timeIntervalSince1970 - 4_294_967_296)))
      }
    },
    Fault(.expiry, "expires entries a little late", "s have passed") { bent in
      bent.afterReads { entry in
        guard case .date(let date) = entry.expiry else { return entry }
        return Entry(object: entry.object, expiry: .date(date.addingTimeInterval(0.000_000_5)))
      }
    },
    Fault(.pastExpiry, "treats a past expiry as none", "which has passed") { bent in
      bent.beforeWrites { value, expiry in
        if case .seconds(let seconds) = expiry, seconds <= 0 { return (value, .never) }
        return (value, expiry)
      }
    },
    Fault(.pastExpiry, "does not store an expired value", "in place of a value") { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        if (expiry ?? .never).isExpired(by: base.clock) { return }
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
    },
    Fault(.shortExpiry, "rounds expiries up to seconds", "the entry expires at") { bent in
      bent.beforeWrites { value, expiry in
        if case .seconds(let seconds) = expiry { return (value, .seconds(seconds.rounded(.up))) }
        return (value, expiry)
      }
    },
    Fault(.shortExpiry, "subtracts a millisecond from expiries", "the entry expires at") { bent in
      bent.beforeWrites { value, expiry in
        if case .seconds(let seconds) = expiry { return (value, .seconds(seconds - 0.001)) }
        return (value, expiry)
      }
    },
    Fault(.ownExpiry, "ignores the default expiry", "has never") { bent in
      bent.beforeWrites { ($0, $1 ?? .never) }
    },
    Fault(.ownExpiry, "ignores the default expiry in batches", "has never") { bent in
      let base = bent.base
      bent.writeMany = { try await base.setObjects($0, expiry: $1 ?? .never) }
    },
    Fault(.ownExpiry, "replaces .never by the default expiry", "with .never") { bent in
      bent.beforeWrites { ($0, $1 == .never ? nil : $1) }
    },
    Fault(.sweeping, "sweeps nothing", "is still there") { $0.sweep = {} },
    Fault(.sweeping, "sweeps all entries with an expiry", "after a sweep") { bent in
      let base = bent.base
      bent.sweep = {
        for key in try await base.keys() where try await base.expiryIfPresent(forKey: key) != .never {
          try await base.removeObject(forKey: key)
        }
        try await base.removeExpiredObjects()
      }
    },
    Fault(
      .sweeping, "sweeps entries that were replaced since they were checked",
      "written in the middle of a sweep"
    ) { bent in
      let base = bent.base
      let known = Shared<Set<String>>([])
      bent.write = { value, key, expiry in
        known.change { _ = $0.insert(key) }
        await Task.yield()
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
      bent.sweep = {
        for key in known.value.sorted() where try await base.isExpiredObject(forKey: key) {
          await Task.yield()
          try await base.removeObject(forKey: key)
        }
      }
    },
    Fault(
      .sweeping, "checks and removes in two steps, without a pause", "written in the middle of a sweep",
      isBrief: true
    ) { bent in
      let (base, known) = (bent.base, Shared<Set<String>>([]))
      bent.write = { value, key, expiry in
        known.change { _ = $0.insert(key) }
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
      bent.sweep = {
        for key in known.value where try await base.isExpiredObject(forKey: key) {
          try await base.removeObject(forKey: key)
        }
      }
    },
    Fault(
      .sweeping, "lists what has expired and then removes it", "written while expired entries were swept",
      isBrief: true
    ) { bent in
      let (base, known) = (bent.base, Shared<[String: Expiry]>([:]))
      bent.write = { value, key, expiry in
        let date = (expiry ?? .never).resolved(by: base.clock)
        try await base.setObject(value, forKey: key, expiry: date)
        known.change { $0[key] = date }
      }
      bent.sweep = {
        let (now, entries) = (base.clock.now, known.value)
        let expired = entries.filter { $0.value.isExpired(by: StorageClock { now }) }.map(\.key)
        await Task.yield()
        try await base.removeObjects(forKeys: expired)
      }
    },
    Fault(.sweeping, "remembers the first date of a key", "after a sweep") { bent in
      let (base, dates) = (bent.base, Shared<[String: Expiry]>([:]))
      bent.write = { value, key, expiry in
        try await base.setObject(value, forKey: key, expiry: expiry)
        dates.change { $0[key] = $0[key] ?? (expiry ?? .never).resolved(by: base.clock) }
      }
      bent.sweep = {
        for (key, date) in dates.value where date.isExpired(by: base.clock) {
          try await base.removeObject(forKey: key)
        }
      }
    },
  ]
}
