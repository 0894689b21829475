import Foundation
import StrataObservation
import TestSupport
import Testing

@testable import StrataCore

/// A value that knows how many of its kind are alive.
private final class Counted: Sendable {
  let number: Int
  private let alive: Shared<Int>

  init(_ number: Int, _ alive: Shared<Int>) {
    self.number = number
    self.alive = alive
    alive.change { $0 += 1 }
  }

  deinit { alive.change { $0 -= 1 } }
}

private final class Watched: Sendable {}

@Suite("Observers that are slower than the writers", .endsInTime)
struct SlowObserverTests {
  private static let keys = (0..<10).map(String.init)
  private let alive = Shared(0)

  /// A store in memory whose first change waits in an observer until the gate opens.
  private struct Scene {
    let storage: Storage<String, Counted>
    let observers: ObserverList<String>
    let gate = ThreadGate()

    init() throws {
      let memory = MemoryStorage<String, TypeWrapper>()
      storage = Storage(
        TypeWrapperStorage(
          memory,
          transformer: Transformer(
            toData: { Data("\($0.number)".utf8) }, fromData: { _ in throw Failure.first })))
      observers = try #require(memory.coordinator).observers
    }

    /// The number of changes that wait for the observers.
    var length: Int { observers.state.withLock { $0.pending.count } }
  }

  @Test("while four writers write, what waits is bounded, and the last value of each key is delivered")
  func bounded() async throws {
    let scene = try Scene()
    let (storage, alive) = (scene.storage, alive)
    let seen = Shared<[String: [(before: Int?, after: Int?)]]>([:])
    let changes = Shared<[StorageChange<String>]>([])
    let watched = Watched()
    storage.addStorageObserver(watched) { _, _, change in
      if case .add("first") = change { scene.gate.pass() }
      changes.change { $0.append(change) }
    }
    for key in Self.keys {
      storage.addObserver(watched, forKey: key) { _, _, change in
        let step: (Int?, Int?) =
          switch change {
          case .edit(let before, let after): (before?.number, after.number)
          case .remove: (nil, nil)
          }
        seen.change { $0[key, default: []].append(step) }
      }
    }
    async let first: Void = onThread { try storage.setObject(Counted(0, alive), forKey: "first") }
    await scene.gate.arrival()

    let (longest, most) = (Shared(0), Shared(0))
    let rounds = Soak.rounds(10_000, soak: 100_000)
    @Sendable func write(_ writer: Int) async throws {
      try await onThread {
        for round in 0..<rounds {
          try storage.setObject(Counted(writer * rounds + round + 1, alive), forKey: Self.keys[round % 10])
          longest.change { $0 = max($0, scene.length) }
          most.change { $0 = max($0, alive.value) }
        }
      }
    }
    async let one: Void = write(0)
    async let two: Void = write(1)
    async let three: Void = write(2)
    async let four: Void = write(3)
    _ = try await (one, two, three, four)
    print("\(4 * rounds) changes: at most \(longest.value) waited, with \(most.value) values")
    #expect(longest.value <= 1024 + 10)
    // Two values for each change that waits, one for each key, and those of the writers and the delivery.
    #expect(most.value <= 2 * (1024 + 10) + 10 + 20)

    scene.gate.open()
    try await first
    await until { scene.length == 0 && !scene.observers.state.withLock { $0.isDelivering } }
    for key in Self.keys {
      let steps = seen.value[key] ?? []
      let last = try await storage.object(forKey: key).number
      #expect(steps.last?.after == last, "key \(key)")
      #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.after == $1.before }, "key \(key)")
      #expect(changes.value.contains(.add(key: key)))
    }
  }
}
