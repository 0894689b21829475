import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofConditions = [
    Fault(.conditions, "replaces an existing value", "returns true for a key with a value") { bent in
      let base = bent.base
      bent.writeIfAbsent = { value, key, expiry in
        try await base.setObject(value, forKey: key, expiry: expiry)
        return true
      }
    },
    Fault(.conditions, "treats an expired value as present", "whose value has expired") { bent in
      let base = bent.base
      bent.writeIfAbsent = { value, key, expiry in
        if try await base.entryIfPresent(forKey: key) != nil { return false }
        try await base.setObject(value, forKey: key, expiry: expiry)
        return true
      }
    },
    Fault(.conditions, "checks and writes in two steps", "have stored") { bent in
      let base = bent.base
      bent.writeIfAbsent = { value, key, expiry in
        guard try await base.isExpiredObject(forKey: key) else { return false }
        await Task.yield()
        try await base.setObject(value, forKey: key, expiry: expiry)
        return true
      }
    },
    Fault(.conditions, "does not store the expiry", "after setIfAbsent") { bent in
      let (base, store) = (bent.base, bent.writeIfAbsent)
      _ = base
      bent.writeIfAbsent = { value, key, _ in try await store(value, key, .never) }
    },
    Fault(.conditions, "touches nothing", "after touch") { bent in
      let base = bent.base
      bent.changeExpiry = { key, _ in try await base.objectExists(forKey: key) }
    },
    Fault(.conditions, "makes an expired value valid again", "for an expired value") { bent in
      let base = bent.base
      bent.changeExpiry = { key, expiry in
        guard let entry = try await base.entryIfPresent(forKey: key) else { return false }
        try await base.setObject(entry.object, forKey: key, expiry: expiry)
        return true
      }
    },
    Fault(.conditions, "removes the value that it touches", "after touch") { bent in
      let base = bent.base
      bent.changeExpiry = { key, expiry in
        guard try await base.objectExists(forKey: key) else { return false }
        try await base.setObject(Data(), forKey: key, expiry: expiry)
        return true
      }
    },
  ]
}
