#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A store that changes values in place, as both of what it is: a cast to both at once is not to be trusted.
private struct Updateable: Sendable {
  let store: Trial.Store
  let updates: any UpdateableStorage<String, Data>
}

extension Trial {
  func updating() async throws {
    let store = try await openForUpdates()
    try await keepExpiry(in: store)
    try await changeNothing(in: store)
    let mortal = try await openForUpdates(expiry: .seconds(1e6))
    try await mortal.store.setObject(text("1"), forKey: "immortal", expiry: .never)
    try await mortal.updates.update(forKey: "immortal", increment)
    try await expectExpiry(.never, of: "immortal", in: mortal)
    try await countTogether(in: store)
  }

  private func openForUpdates(expiry: Expiry = .never) async throws -> Updateable {
    let store = try await open(expiry: expiry)
    guard let updates = store as? any UpdateableStorage<String, Data> else { throw NotPromised() }
    return Updateable(store: store, updates: updates)
  }

  private func increment(_ value: inout Data) throws {
    let string = String(decoding: value, as: UTF8.self)
    guard let number = Int(string) else { throw broken("update was given \(shown(value)), and not a number") }
    value = text("\(number + 1)")
  }

  /// Tasks count up one number.
  private func countTogether(in store: Updateable) async throws {
    try await store.store.setObject(text("0"), forKey: "count", expiry: nil)
    let (tasks, updates) = (6, 30)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for _ in 0..<updates { try await store.updates.update(forKey: "count", increment) }
        }
      }
      try await group.waitForAll()
    }
    let sum = tasks * updates
    try await expect(
      text("\(sum)"), at: "count", in: store.store,
      "after \(sum) updates by \(tasks) tasks, each of which adds 1")
  }

  private func keepExpiry(in store: Updateable) async throws {
    let date = store.store.clock.now.addingTimeInterval(1e6)
    try await store.store.setObject(text("1"), forKey: "mortal", expiry: .date(date))
    let stored = try await store.updates.update(forKey: "mortal", increment)
    try expect(stored == text("2"), "update returns \(shown(stored)) where it has stored \(shown(text("2")))")
    try await expect(text("2"), at: "mortal", in: store.store, "after an update")
    try await expectExpiry(.date(date), of: "mortal", in: store)
  }

  private func expectExpiry(_ expiry: Expiry, of key: String, in store: Updateable) async throws {
    let found = try await store.store.entry(forKey: key).expiry
    let distance = found.date.timeIntervalSince(expiry.date)
    try expect(
      (found == .never) == (expiry == .never) && abs(distance) <= subject.expiryResolution + 1e-6,
      "after an update, an entry has the expiry \(found) in place of its own, \(expiry)")
  }

  private func changeNothing(in store: Updateable) async throws {
    try await expectNotFound("never there", in: store)
    try await store.store.setObject(text("1"), forKey: "dead", expiry: .date(.distantPast))
    try await expectNotFound("dead", in: store)

    struct Refusal: Error {}
    do {
      try await store.updates.update(forKey: "mortal") { value in
        value = text("half")
        throw Refusal()
      }
      throw broken("update does not throw what its closure throws")
    } catch is Refusal {}
    try await expect(text("2"), at: "mortal", in: store.store, "after an update whose closure threw")
  }

  private func expectNotFound(_ key: String, in store: Updateable) async throws {
    do {
      let stored = try await store.updates.update(forKey: key) { $0 = text("made") }
      throw broken("update of the key \(shown(key)), which holds nothing, stores \(shown(stored))")
    } catch StorageError.notFound {}
    try await expect(nil, at: key, in: store.store, "after an update of nothing")
  }
}
