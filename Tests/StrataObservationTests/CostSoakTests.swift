import StrataObservation
import TestSupport
import Testing

/// A model without a store, to compare with.
@MainActor
@Observable
private final class Plain {
  var value: Int? = 1
}

@Suite("Stored values, their cost: Soak", .endsInTime)
@MainActor
struct CostSoakTests {
  private let rounds = Soak.rounds(10_000, soak: 1_000_000)

  /// The least time of a read, of several runs, in nanoseconds.
  private func time(_ read: @MainActor () -> Int?) -> Double {
    (0..<7).map { _ in
      var sum = 0
      let time = ContinuousClock().measure { for _ in 0..<rounds { sum &+= read() ?? 0 } }
      precondition(sum > 0)
      return time / .nanoseconds(rounds)
    }.min() ?? 0
  }

  @Test("a read takes as long as that of a stored property of a model")
  func reading() async throws {
    let (store, _) = memoryStorage(of: Int.self)
    try await store.setObject(1, forKey: "a")
    let (plain, stored) = (Plain(), StoredValue(store, forKey: "a"))
    var (one, other) = (0.0, 0.0)
    var (tracked, otherTracked) = (0.0, 0.0)
    // Alternating, so that both meet the same machine.
    for round in 0..<3 {
      let times = (time { plain.value }, time { stored.value })
      let during = withObservationTracking {
        (time { plain.value }, time { stored.value })
      } onChange: {
      }
      (one, other) = round == 0 ? times : (min(one, times.0), min(other, times.1))
      (tracked, otherTracked) = round == 0 ? during : (min(tracked, during.0), min(otherTracked, during.1))
    }
    print("a read: plain \(one) ns, stored \(other) ns, ratio \(other / one)")
    print("a tracked read: plain \(tracked) ns, stored \(otherTracked) ns, ratio \(otherTracked / tracked)")
    #if !DEBUG
      #expect(other < one * 1.5 && otherTracked < tracked * 1.5)
    #endif
  }

  @Test("a change is one notification, a few turns of an idle main actor after it")
  func turns() async throws {
    let (store, _) = memoryStorage(of: Int.self)
    let value = StoredValue(store, forKey: "a")
    await value.settled()
    var turns: [Int] = []
    var times: [Duration] = []
    for number in 1...Soak.rounds(100, soak: 10_000) {
      let told = Locked(0)
      withObservationTracking {
        _ = value.value
      } onChange: {
        told.withLock { $0 += 1 }
      }
      try blocking { try store.setObject(number, forKey: "a") }
      let start = ContinuousClock.now
      var count = 0
      while value.value != number {
        count += 1
        await Task.yield()
      }
      times.append(ContinuousClock.now - start)
      turns.append(count)
      #expect(told.withLock { $0 } == 1)
    }
    times.sort()
    turns.sort()
    print(
      "from a change to `value`: \(times[times.count / 2]) in the median, \(times[times.count * 99 / 100]) at 99 %,",
      "while an idle main actor yields \(turns[turns.count / 2]) times")
  }
}
