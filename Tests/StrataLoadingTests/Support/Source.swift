import Strata
import TestSupport
import Testing

/// A source of values that a test can stop, make fail and change. It counts its loads.
final class Source: Sendable {
  struct Down: Error, Equatable {}
  typealias Request = LoadRequest<String, Int>
  typealias Answer = @Sendable (Request) async throws -> Loaded<Int>

  private struct State: Sendable {
    var answer: Answer = { _ in .value(1) }
    var requests: [Request] = []
    var gate: Gate?
    var cancelled = 0
  }

  private let state = Locked(State())

  /// Makes the source return the results of a function.
  func answers(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }
  /// Makes the source return a value.
  func gives(_ value: Int) { answers { _ in .value(value) } }
  /// Makes the source fail.
  func fails() { answers { _ in throw Down() } }

  /// Makes the next loads wait at a gate.
  func stop(_ loads: Int = 1) -> Gate {
    let gate = Gate(holding: loads)
    state.withLock { $0.gate = gate }
    return gate
  }

  /// Ends the gate for loads to come.
  func go() { state.withLock { $0.gate = nil } }

  var loads: Int { state.withLock { $0.requests.count } }
  var requests: [Request] { state.withLock { $0.requests } }
  /// How many loads were cancelled while they waited at a gate.
  var cancelled: Int { state.withLock { $0.cancelled } }

  @Sendable func load(_ request: Request) async throws -> Loaded<Int> {
    let (answer, gate) = state.withLock { state in
      state.requests.append(request)
      return (state.answer, state.gate)
    }
    if let gate {
      await gate.pass()
      if Task.isCancelled { state.withLock { $0.cancelled += 1 } }
    }
    return try await answer(request)
  }
}

/// A loading store in memory, with its clock and its source.
struct World: Sendable {
  let time = ManualClock()
  let source = Source()
  let memory: MemoryStorage<String, Cached<Int>>
  let cache: LoadingStorage<String, Int>

  init(_ policy: LoadPolicy = LoadPolicy()) {
    memory = MemoryStorage(config: MemoryConfig(clock: time.clock))
    cache = memory.loading(policy, clock: time, source.load)
  }

  /// Waits until no load is in flight.
  func settled() async { await until { cache.loadsInFlight == 0 } }
}
