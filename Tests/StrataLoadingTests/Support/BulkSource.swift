import Strata
import TestSupport

/// A source of many values per call, which counts its calls. A value is the length of its key.
final class BulkSource: Sendable {
  typealias Answer = @Sendable ([LoadRequest<String, Int>]) async throws -> [String: Loaded<Int>]

  private struct State: Sendable {
    var calls: [[String]] = []
    var answer: Answer = { requests in
      Dictionary(uniqueKeysWithValues: requests.map { ($0.key, .value($0.key.count)) })
    }
    var gate: Gate?
    var cancelled = 0
  }

  private let state = Locked(State())

  func answers(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

  /// Makes the next calls wait at a gate.
  func stop(_ calls: Int = 1) -> Gate {
    let gate = Gate(holding: calls)
    state.withLock { $0.gate = gate }
    return gate
  }

  /// The keys of each call, in order.
  var calls: [[String]] { state.withLock { $0.calls } }
  var cancelled: Int { state.withLock { $0.cancelled } }

  @Sendable func load(_ requests: [LoadRequest<String, Int>]) async throws -> [String: Loaded<Int>] {
    let (answer, gate) = state.withLock { state in
      state.calls.append(requests.map(\.key).sorted())
      return (state.answer, state.gate)
    }
    await gate?.pass()
    if Task.isCancelled { state.withLock { $0.cancelled += 1 } }
    return try await answer(requests)
  }
}
