import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofLostWrites = [
    Fault(
      .lostWrites, "when a lost setObject was delivered after an acknowledged setObject,", isBrief: true,
      Lossy.subject("knows nothing of lost writes") { _, _ in false }),
    Fault(
      .lostWrites, "after an acknowledged setObjects", isBrief: true,
      Lossy.subject("protects no batch from lost writes") { _, later in later != "setObjects" }),
    Fault(
      .lostWrites, "after an acknowledged removeObject,", isBrief: true,
      Lossy.subject("protects no removal from lost writes") { _, later in later != "removeObject" }),
    Fault(
      .lostWrites, "when a lost removeAll was delivered", isBrief: true,
      Lossy.subject("knows only lost writes with a key") { lost, _ in lost != "removeAll" }),
  ]
}

/// A store that loses writes on demand. Before a later write it discards the lost ones, or not.
enum Lossy {
  private typealias Change = @Sendable () async throws -> Void

  static func subject(
    _ name: String, discards: @escaping @Sendable (_ lost: String, _ later: String) -> Bool
  ) -> Subject {
    Subject(name) { Reference(at: $0) }.losingWrites { place in
      let base = Reference(at: place)
      let isLosing = Shared(false)
      let held = Shared<[(name: String, change: Change)]>([])
      @Sendable func send(_ name: String, _ change: @escaping Change) async throws {
        if isLosing.value {
          held.change { $0.append((name, change)) }
          throw StorageError.backendFailed
        }
        held.change { $0.removeAll { discards($0.name, name) } }
        try await change()
      }
      var store = Bent(base)
      let change = store.change
      store.write = { value, key, expiry in
        try await send("setObject") { try base.setObject(value, forKey: key, expiry: expiry) }
      }
      store.writeMany = { objects, expiry in
        try await send("setObjects") { try base.setObjects(objects, expiry: expiry) }
      }
      store.remove = { key in try await send("removeObject") { try base.removeObject(forKey: key) } }
      store.removeMany = { keys in try await send("removeObjects") { try base.removeObjects(forKeys: keys) } }
      store.removeEverything = { try await send("removeAll") { try base.removeAll() } }
      store.change = { key, modify in
        try await send("update") {}
        return try await change(key, modify)
      }
      return LossyStore(store) { write in
        isLosing.change { $0 = true }
        await write()
        isLosing.change { $0 = false }
      } deliver: {
        for lost in held.value { try await lost.change() }
        held.change { $0 = [] }
      }
    }
  }
}
