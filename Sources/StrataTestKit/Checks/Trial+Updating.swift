#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  func updating() async throws {
    let store = try await open()
    try await keepExpiry(in: store)
    try await changeNothing(in: store)
    try await withOtherStore(expiry: .seconds(1e6)) { mortal in
      try await mortal.setObject(text("1"), forKey: "immortal", expiry: .never)
      try await updateable(mortal).update(forKey: "immortal", increment)
      try await expectExpiry(.never, of: "immortal", in: mortal, "after an update")
    }
    try await emptyTheValue(in: store)
    try await useOtherKeys(in: store)
    try await changeDuringUpdates(in: store)
    try await countTogether(in: store)
    if subject.updatesAcrossProcesses { try await countBesideAnotherProcess(in: store) }
  }

  /// Returns the store as an `UpdateableStorage`; throws `NotPromised` if it is not one.
  private func updateable(_ store: Store) throws -> any UpdateableStorage<String, Data> {
    guard let store = store as? any UpdateableStorage<String, Data> else { throw NotPromised() }
    return store
  }

  private func increment(_ value: inout Data) throws {
    let string = String(decoding: value, as: UTF8.self)
    guard let number = Int(string) else { throw broken("update was given \(shown(value)), and not a number") }
    value = text("\(number + 1)")
  }

  /// Increments a number `times` times, each time by an update.
  func countUp(_ key: String, _ times: Int, in store: Store) async throws {
    for _ in 0..<times { try await updateable(store).update(forKey: key, increment) }
  }

  /// Increments one number by two processes.
  private func countBesideAnotherProcess(in store: Store) async throws {
    let times = Effort.current.rounds(200)
    try await store.setObject(text("0"), forKey: "shared", expiry: nil)
    try await withChild { child in
      try await child.ready()
      async let answer = child.ask(.countUp("shared", times))
      try await countUp("shared", times, in: store)
      let report = try await answer
      try expect(report == .done, "updates in another process, at the same time, give \(report)")
    }
    try await expect(
      text("\(2 * times)"), at: "shared", in: store,
      "after \(times) updates in each of two processes, each of which adds 1")
  }

  /// Increments one number by several tasks.
  private func countTogether(in store: Store) async throws {
    try await store.setObject(text("0"), forKey: "count", expiry: nil)
    let (tasks, updates) = (6, Effort.current.rounds(30))
    let line = StartLine(of: tasks)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          try await line.meet()
          for _ in 0..<updates { try await updateable(store).update(forKey: "count", increment) }
        }
      }
      try await group.waitForAll()
    }
    let sum = tasks * updates
    try await expect(
      text("\(sum)"), at: "count", in: store,
      "after \(sum) updates by \(tasks) tasks, each of which adds 1")
  }

  /// Changes a key in the middle of an update of it. The update must precede the change or see it.
  private func changeDuringUpdates(in store: Store) async throws {
    let key = "overtaken"
    let changes: [(name: String, results: [Data?], change: @Sendable () async throws -> Void)] = [
      (
        "a write", [text("5"), text("6")], { try await store.setObject(text("5"), forKey: key, expiry: nil) }
      ),
      ("a removal", [nil], { try await store.removeObject(forKey: key) }),
      ("an update", [text("3")], { try await updateable(store).update(forKey: key, increment) }),
    ]
    for (name, results, change) in changes {
      try await store.setObject(text("1"), forKey: key, expiry: nil)
      let interruption = Interruption()
      try await interruption.run {
        do {
          try await updateable(store).update(forKey: key) { value in
            interruption.pass()
            try increment(&value)
          }
        } catch StorageError.notFound where results == [nil] {}
      } other: {
        try await change()
      }
      let found = try await store.objectIfPresent(forKey: key)
      try expect(
        results.contains(found),
        "\(name) in the middle of an update of its key is lost: the key holds \(shown(found))")
    }
  }

  private func keepExpiry(in store: Store) async throws {
    let date = store.clock.now.addingTimeInterval(1e6)
    try await store.setObject(text("1"), forKey: "mortal", expiry: .date(date))
    let stored = try await updateable(store).update(forKey: "mortal", increment)
    try expect(stored == text("2"), "update returns \(shown(stored)) where it has stored \(shown(text("2")))")
    try await expect(text("2"), at: "mortal", in: store, "after an update")
    try await expectExpiry(.date(date), of: "mortal", in: store, "after an update")
  }

  private func changeNothing(in store: Store) async throws {
    try await expectNotFound("never there", in: store)
    try await store.setObject(text("1"), forKey: "dead", expiry: .date(.distantPast))
    try await expectNotFound("dead", in: store)
    let time = try await Moments(of: self, in: store)
    try await store.setObject(text("1"), forKey: "died", expiry: .seconds(time.unit))
    try await time.pass(time.unit * 2)
    try await expectNotFound("died", in: store)

    struct Refusal: Error {}
    do {
      try await updateable(store).update(forKey: "mortal") { value in
        value = text("half")
        throw Refusal()
      }
      throw broken("update does not throw what its closure throws")
    } catch is Refusal {}
    try await expect(text("2"), at: "mortal", in: store, "after an update whose closure threw")
  }

  /// Checks that an update can store an empty value.
  private func emptyTheValue(in store: Store) async throws {
    try await store.setObject(text("full"), forKey: "emptied", expiry: nil)
    try await updateable(store).update(forKey: "emptied") { $0 = Data() }
    try await expect(Data(), at: "emptied", in: store, "after an update to an empty value")
  }

  /// Uses the store inside the closure of an update, as far as that is possible without `await`. A store may refuse
  /// such a call with `.deadlock`. A call that waits for ever breaks the promise, which the time limit reports.
  private func useOtherKeys(in store: Store) async throws {
    guard let updateable = store as? any SyncUpdateableStorage<String, Data>,
      let sync = store as? any SyncStorageAware<String, Data>
    else { return }
    try await store.setObject(text("1"), forKey: "outer", expiry: nil)
    let increment = increment
    let isRefused = try await onThreadOfItsOwn {
      do {
        try updateable.update(forKey: "outer") { value in
          try sync.setObject(value, forKey: "inner", expiry: nil)
          try increment(&value)
        }
        return false
      } catch StorageError.deadlock { return true }
    }
    try await expect(
      text(isRefused ? "1" : "2"), at: "outer", in: store, "after an update that uses another key")
    let inner = try await store.objectIfPresent(forKey: "inner")
    try expect(isRefused || inner == text("1"), "a write inside the closure of an update is lost")
  }

  private func expectNotFound(_ key: String, in store: Store) async throws {
    do {
      let stored = try await updateable(store).update(forKey: key) { $0 = text("made") }
      throw broken("update of the key \(shown(key)), which is absent, stores \(shown(stored))")
    } catch StorageError.notFound {}
    try await expect(nil, at: key, in: store, "after an update of an absent key")
  }
}
