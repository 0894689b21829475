import CFaults
import Dispatch
import Foundation
import StrataCore
import StrataDisk

extension DiskStorage<String> {
  /// Writes a value a part at a time, and waits for it.
  ///
  /// Only for forked children: a process whose tasks have run cannot be forked, since the child lacks their threads.
  func write(_ value: Data, asStreamOf key: String) throws {
    let end = DispatchSemaphore(value: 0)
    let failure = Locked((any Error)?.none)
    Task.detached {
      do { try await self.write(forKey: key, from: Parts(rest: value)) } catch {
        failure.withLock { $0 = error }
      }
      end.signal()
    }
    end.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

extension Scenario {
  var hasStreams: Bool { steps.contains { if case .stream = $0 { true } else { false } } }
}

/// Prepares for calls on the threads of streams. Opens the descriptors that tasks and timers need in this process,
/// before others are counted.
func prepareForStreams() {
  faults_watch_all_threads()
  let end = DispatchSemaphore(value: 0)
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { Task.detached { end.signal() } }
  end.wait()
}

private struct Parts: AsyncSequence, AsyncIteratorProtocol, Sendable {
  var rest: Data

  func makeAsyncIterator() -> Parts { self }

  mutating func next() async -> Data? {
    if rest.isEmpty { return nil }
    defer { rest = rest.dropFirst(50_000) }
    return rest.prefix(50_000)
  }
}
