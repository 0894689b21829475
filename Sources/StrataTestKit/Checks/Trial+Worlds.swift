#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  /// The promises whose outcome may depend on how the store is called.
  static let ofBothWorlds: [Contract] = [
    .reading, .removing, .batches, .entries, .atomicBatches, .updating, .conditions,
  ]

  /// Checks the promises again with calls without `await`, and with calls with `await` on the store's own type.
  func bothWorlds() async throws {
    var worlds: [(name: String, subject: Subject)] = []
    if try await open() is any SyncStorageAware<String, Data> {
      let open = subject.open
      let blocking = subject.opened { place in
        guard let store = try await open(place) as? any SyncStorageAware<String, Data> else {
          throw CannotCheck("the store is not always synchronous")
        }
        return BlockingStore(base: store)
      }
      worlds.append(("called without await", blocking))
    }
    if let awaited = subject.openAwaited {
      worlds.append(("called with await on its own type", subject.opened(awaited)))
    }
    if worlds.isEmpty { throw NotPromised() }
    for world in worlds {
      for promise in Self.ofBothWorlds where !subject.except.contains(promise) {
        try await check(promise, of: world.subject, world.name) { try await $0.run() }
      }
      if subject.except.contains(.overwriting) { continue }
      // Only this part of the promise depends on how the store is called, and the rest takes long for some stores.
      try await check(.overwriting, of: world.subject, world.name) {
        try await $0.replacing(in: $0.open())
      }
    }
  }

  private func check(
    _ promise: Contract, of subject: Subject, _ circumstances: String,
    _ check: (Trial) async throws -> Void
  ) async throws {
    let trial = try Trial(of: promise, on: subject)
    defer { trial.cleanUp() }
    do {
      try await check(trial)
    } catch let broken as BrokenPromise {
      throw self.broken("\(circumstances), \(broken)")
    } catch is NotPromised {}
  }
}
