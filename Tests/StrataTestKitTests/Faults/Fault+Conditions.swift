import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofConditions = [
    Fault(.conditions, "stores over what is there", "stored a value where there was one") { bent in
      let base = bent.base
      bent.writeIfAbsent = { value, key, expiry in
        try await base.setObject(value, forKey: key, expiry: expiry)
        return true
      }
    },
    Fault(.conditions, "takes what has expired for present", "where one had expired") { bent in
      let base = bent.base
      bent.writeIfAbsent = { value, key, expiry in
        if try await base.entryIfPresent(forKey: key) != nil { return false }
        try await base.setObject(value, forKey: key, expiry: expiry)
        return true
      }
    },
    Fault(.conditions, "looks, and then writes", "have stored") { bent in
      let base = bent.base
      bent.writeIfAbsent = { value, key, expiry in
        guard try await base.isExpiredObject(forKey: key) else { return false }
        await Task.yield()
        try await base.setObject(value, forKey: key, expiry: expiry)
        return true
      }
    },
    Fault(.conditions, "forgets the expiry of what it stores", "after setIfAbsent") { bent in
      let (base, store) = (bent.base, bent.writeIfAbsent)
      _ = base
      bent.writeIfAbsent = { value, key, _ in try await store(value, key, .never) }
    },
    Fault(.conditions, "touches nothing", "after touch") { bent in
      let base = bent.base
      bent.changeExpiry = { key, _ in try await base.objectExists(forKey: key) }
    },
    Fault(.conditions, "brings back what has expired", "which had expired") { bent in
      let base = bent.base
      bent.changeExpiry = { key, expiry in
        guard let entry = try await base.entryIfPresent(forKey: key) else { return false }
        try await base.setObject(entry.object, forKey: key, expiry: expiry)
        return true
      }
    },
    Fault(.conditions, "loses the value that it touches", "after touch") { bent in
      let base = bent.base
      bent.changeExpiry = { key, expiry in
        guard try await base.objectExists(forKey: key) else { return false }
        try await base.setObject(Data(), forKey: key, expiry: expiry)
        return true
      }
    },
  ]
}
