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
  private let isAuthoritative = Atomic(false)
  private let owned = Locked(Owned())

  /// What ends with the owner.
  private struct Owned {
    var isEnded = false
    var tokens: [ObservationToken] = []
    var tasks: [Role: Task<Void, Never>] = [:]
  }

  /// The tasks of an owner, of which it has one each.
  enum Role { case follower, pause, load }

  init() { (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Calls for a read. Returns `false` once the owner has ended.
  @discardableResult
  func send() -> Bool {
    if case .terminated = continuation.yield() { return false }
    return true
  }

  /// Calls for a read after a pause, if there is one, in place of an earlier call of this kind. The pause begins before
  /// its length is computed: a clock that moves meanwhile does not make it longer.
  func send<Timer: Clock<Duration>>(on clock: Timer, after pause: () -> Duration?) {
    let start = clock.now
    guard let pause = pause() else { return }
    run(
      .pause,
      Task.detached { [weak self] in
        // A cancelled pause calls for nothing: there is another one, or the owner has ended.
        do { try await clock.sleep(until: start.advanced(by: pause), tolerance: nil) } catch { return }
        self?.send()
      })
  }

  /// The number of the last event at the owner that outdates earlier reads.
  var mark: Int { lastMark.load(ordering: .sequentiallyConsistent) }

  /// Outdates the reads that have begun. Returns the number of this event.
  func outdateReads() -> Int { lastMark.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }

  /// Makes the next read one of the authoritative tier. Call it before `outdateReads`, and `takeHow` after `mark`: then
  /// no read with the number of that event reads less.
  func askAuthority() { isAuthoritative.store(true, ordering: .sequentiallyConsistent) }

  /// Returns how the next read is done.
  func takeHow() -> How {
    isAuthoritative.exchange(false, ordering: .sequentiallyConsistent) ? .authoritative : []
  }

  /// Keeps an observation until the end of the owner.
  func keep(_ observation: ObservationToken?) {
    if let observation { owned.withLock { $0.tokens.append(observation) } }
  }

  /// Keeps a task, in place of another one with its role, which is cancelled. After the end of the owner, cancels it.
  func run(_ role: Role, _ task: Task<Void, Never>) {
    let outdated = owned.withLock { owned in
      owned.isEnded ? task : owned.tasks.updateValue(task, forKey: role)
    }
    outdated?.cancel()
  }

  /// Ends the observations of the store, and the tasks.
  func end() {
    continuation.finish()
    let ended = owned.withLock { owned in
      defer { owned = Owned(isEnded: true) }
      return owned
    }
    for token in ended.tokens { token.cancel() }
    for task in ended.tasks.values { task.cancel() }
  }
}
