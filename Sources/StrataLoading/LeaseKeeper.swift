import StrataCore

/// Acquires leases, extends them while loads run, and releases them.
struct LeaseKeeper<Key: Hashable & Sendable>: Sendable {
  let leases: any StorageLeasing<Key>
  let time: Duration

  init(_ leases: any StorageLeasing<Key>, _ time: Duration) {
    self.leases = leases
    self.time = max(time, .milliseconds(1))
  }

  func acquire(_ key: Key) async throws -> StorageLease? { try await leases.acquire(key, for: time) }

  /// Runs `body` while extending the leases, and releases them, also if this task is cancelled.
  func holding(
    _ held: [Key: StorageLease], on clock: any Clock<Duration>, _ body: () async throws -> Void
  ) async throws {
    let heart = Task { [self] in
      while true {
        try await clock.sleep(for: time / 3)
        for (key, lease) in held {
          // The next attempt may succeed. A lease that is not extended in time ends, and the write under it is refused.
          do { _ = try await leases.extend(lease, of: key, for: time) } catch {}
        }
      }
    }
    let result = await Result(of: body)
    heart.cancel()
    for (key, lease) in held {
      // Also if this task is cancelled: other processes wait for the lease. One that cannot be released expires.
      do { try await regardless { [leases] in try await leases.release(lease, of: key) } } catch {}
    }
    try result.get()
  }
}

/// Wakes a load that waits for another process's value: on an invalidation of the key, or, without an invalidation
/// source, after a pause.
final class LeaseBell<Key: Hashable & Sendable>: Sendable {
  private let rings: AsyncStream<Void>
  private let ringing: AsyncStream<Void>.Continuation
  private let listening: ObservationToken?
  private let clock: any Clock<Duration>
  private let delay: Locked<Duration>
  private let longest: Duration

  init(
    _ key: Key, _ invalidationSource: InvalidationSource<Key>?, _ keeper: LeaseKeeper<Key>,
    on clock: any Clock<Duration>
  ) {
    let (rings, ringing) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.rings = rings
    self.ringing = ringing
    self.clock = clock
    listening = invalidationSource?.listen { announcement in
      switch announcement {
      case .changed(let keys): if keys.contains(key) { ringing.yield() }
      case .changedAll, .link: ringing.yield()
      }
    }
    // With an invalidation source, polling is needed only for a holder that stores nothing.
    longest = min(invalidationSource == nil ? .milliseconds(25) : .milliseconds(200), keeper.time / 4)
    delay = Locked(invalidationSource == nil ? .milliseconds(1) : longest)
  }

  deinit { listening?.cancel() }

  /// Suspends until the key may have been stored or its lease may be free.
  func wait() async throws {
    let pause = delay.withLock { delay in
      defer { delay = min(delay * 2, longest) }
      return delay
    }
    let timer = startTimer(pause, on: clock) { [ringing] in ringing.yield() }
    defer { timer.cancel() }
    for await _ in rings { break }
    try Task.checkCancellation()
  }
}
