import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofUpdates = [
    Fault(.updating, "reads and writes in two steps", "in the middle of an update") {
      bent in
      bent.changeInSteps { value, key, expiry, base in
        await Task.yield()
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
    },
    Fault(
      .updating, "reads and writes in two steps, without a pause", "in the middle of an update", isBrief: true
    ) {
      bent in
      bent.changeInSteps { value, key, expiry, base in
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
    },
    Fault(
      .updating, "compares and writes in two steps", "updates by 6 tasks, each of which adds 1", isBrief: true
    ) { bent in
      let base = bent.base
      bent.change = { key, modify in
        while true {
          let entry = try await base.entry(forKey: key)
          if entry.expiry.isExpired(by: base.clock) { throw StorageError.notFound }
          var value = entry.object
          try modify(&value)
          guard try await base.entryIfPresent(forKey: key) == entry else { continue }
          await Task.yield()
          try await base.setObject(value, forKey: key, expiry: entry.expiry)
          return value
        }
      }
    },
    Fault(.updating, "removes the expiry", "after an update, an entry has") { bent in
      bent.changeInSteps { value, key, _, base in
        try await base.setObject(value, forKey: key, expiry: .never)
      }
    },
    Fault(.updating, "replaces the expiry by the default one", "after an update, an entry has") { bent in
      bent.changeInSteps { value, key, expiry, base in
        try await base.setObject(value, forKey: key, expiry: expiry == .never ? nil : expiry)
      }
    },
    Fault(.updating, "creates an absent value", "which is absent, stores") { bent in
      bent.beforeChanges { key, base in
        if try await base.entryIfPresent(forKey: key) == nil {
          try await base.setObject(Data(), forKey: key, expiry: nil)
        }
      }
    },
    Fault(.updating, "updates an expired value", "which is absent, stores") { bent in
      bent.beforeChanges { key, base in
        if let entry = try await base.entryIfPresent(forKey: key), entry.expiry.isExpired(by: base.clock) {
          try await base.setObject(entry.object, forKey: key, expiry: .never)
        }
      }
    },
    Fault(.updating, "removes the value if the closure throws", "after an update whose closure threw") {
      bent in
      let (base, change) = (bent.base, bent.change)
      bent.change = { key, modify in
        do { return try await change(key, modify) } catch {
          try await base.removeObject(forKey: key)
          throw error
        }
      }
    },
    Fault(.updating, "does not rethrow the closure's error", "does not throw what its closure throws") {
      bent in
      let change = bent.change
      bent.change = { key, modify in try await change(key) { value in do { try modify(&value) } catch {} } }
    },
    Fault(.updating, "returns the old value", "where it has stored") { bent in
      let (base, change) = (bent.base, bent.change)
      bent.change = { key, modify in
        let old = try await base.object(forKey: key)
        _ = try await change(key, modify)
        return old
      }
    },
  ]
}

extension Bent {
  /// Reads, changes and writes without a lock.
  fileprivate mutating func changeInSteps(
    _ write: @escaping @Sendable (Data, String, Expiry, any StorageAware<String, Data>) async throws -> Void
  ) {
    let base = base
    change = { key, modify in
      let entry = try await base.entry(forKey: key)
      if entry.expiry.isExpired(by: base.clock) { throw StorageError.notFound }
      var value = entry.object
      try modify(&value)
      try await write(value, key, entry.expiry, base)
      return value
    }
  }

  /// Runs a body on a key before it is changed.
  fileprivate mutating func beforeChanges(
    _ body: @escaping @Sendable (String, any StorageAware<String, Data>) async throws -> Void
  ) {
    let (base, change) = (base, change)
    self.change = { key, modify in
      try await body(key, base)
      return try await change(key, modify)
    }
  }
}
