import StrataCore
import Synchronization

/// The signal from a store's changes to the one task that follows them.
///
/// A signal that comes while the task is at work is kept, and further ones add nothing: a burst of changes costs one
/// more read. Each read begins after the signal that causes it, and the next one after it has been shown. So what is
/// shown never goes back to an older state, and ends with the newest one.
final class ChangeSignal: Sendable {
  let signals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let lastMark = Atomic(0)
  private let tokens = Locked<[ObservationToken]>([])
  private let tasks = Locked<[Role: Task<Void, Never>]>([:])

  /// The tasks of an owner, of which it has one each.
  enum Role { case follower, retry, load }

  init() { (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Calls for a read. Returns `false` once the owner has ended.
  @discardableResult
  func send() -> Bool {
    if case .terminated = continuation.yield() { return false }
    return true
  }

  /// Calls for a read after a pause, in place of an earlier call of this kind.
  func send(after pause: Duration, on clock: any Clock<Duration>) {
    run(
      .retry,
      Task.detached { [weak self] in
        // A cancelled pause calls for nothing: there is another one, or the owner has ended.
        do { try await clock.sleep(for: pause) } catch { return }
        self?.send()
      })
  }

  /// The number of the last event at the owner that outdates earlier reads.
  var mark: Int { lastMark.load(ordering: .sequentiallyConsistent) }

  /// Outdates the reads that have begun. Returns the number of this event.
  func outdateReads() -> Int { lastMark.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }

  /// Keeps an observation until the end of the owner.
  func keep(_ observation: ObservationToken?) {
    if let observation { tokens.withLock { $0.append(observation) } }
  }

  /// Keeps a task, in place of another one with its role, which is cancelled.
  func run(_ role: Role, _ task: Task<Void, Never>) {
    tasks.withLock { $0.updateValue(task, forKey: role) }?.cancel()
  }

  /// Ends the observations of the store, and the tasks.
  func end() {
    continuation.finish()
    let tokens = tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
    for token in tokens { token.cancel() }
    let tasks = tasks.withLock { tasks in
      defer { tasks = [:] }
      return tasks
    }
    for task in tasks.values { task.cancel() }
  }
}
