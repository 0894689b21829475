import Foundation
import Strata
import TestSupport
import Testing

/// Observers that wait for turns do not hold up those whose turns have come.
@Suite("Observers that wait for a turn", .ends(within: .seconds(120)))
struct ObserverTurnTests {
  private final class Observer: Sendable {}

  /// A thread that leaves a turn of two keys runs the operations of the tasks behind it. The first of them has an
  /// observer, which reads the key of the other.
  @Test("an observer may read a key whose turn has come to another task")
  func relayed() async throws {
    let tier = DictionaryStorage<String, TypeWrapper>()
    let storage = Storage(TypeWrapperStorage(tier, transformer: .codable(Int.self)))
    let keys = ["a", "b"]
    for key in keys { try await storage.async.setObject(0, forKey: key) }
    let observer = Observer()
    let seen = Shared<[Int?]>([])
    storage.addStorageObserver(observer) { _, storage, change in
      guard case .add(let key) = change else { return }
      let other = Result { try storage.objectIfPresent(forKey: key == "a" ? "b" : "a") }
      seen.change { $0.append(try? other.get()) }
    }
    let gate = ThreadGate()
    tier.afterNextRead { gate.pass() }
    let first = Task { try await onThread { _ = try storage.entries(forKeys: keys) } }
    await gate.arrival()
    let done = Shared(0)
    for (number, key) in keys.enumerated() {
      Task {
        try await storage.async.setObject(number + 1, forKey: key)
        done.change { $0 += 1 }
      }
    }
    // Gives both operations time to enter the queue. If they do not, the test proves nothing.
    for _ in 0..<1000 { await Task.yield() }
    gate.open()
    await until { done.value == 2 && seen.value.count == 2 }
    try await first.value
    #expect(seen.value.allSatisfy { $0 != nil })
    withExtendedLifetime(observer) {}
  }
}
