import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofChanges = [
    Fault(.changes, "stores what setIfAbsent must not", "setIfAbsent answers true") { bent in
      let base = bent.base
      bent.alter = { key, change, _ in
        guard case .setIfAbsent(let expiry) = change.kind else { return nil }
        return try await base.change(key, .set(change.object, expiry), [])
      }
    },
    Fault(.changes, "says that it has touched an absent key", "touch answers true") { bent in
      let base = bent.base
      bent.alter = { key, change, how in
        guard case .touch = change.kind else { return nil }
        try await base.change(key, change, how)
        return true
      }
    },
    Fault(.changes, "stores nothing in place of what it must forget", "of the kind forget") { bent in
      let base = bent.base
      bent.alter = { key, change, _ in
        guard case .forget = change.kind else { return nil }
        return try await base.change(key, .set(Data(), nil), [])
      }
    },
    Fault(.changes, "changes what it refuses at once", "that was refused") { bent in
      let base = bent.base
      bent.alter = { key, change, how in
        guard how.contains(.atOnce) else { return nil }
        try await base.change(key, change, [])
        throw WouldWait()
      }
    },
  ]
}
