import StrataCore

/// Takes leases, extends them while loads run, and gives them back.
struct LeaseKeeper<Key: Hashable & Sendable>: Sendable {
  let leases: any StorageLeasing<Key>
  let time: Duration

  init(_ leases: any StorageLeasing<Key>, _ time: Duration) {
    self.leases = leases
    self.time = max(time, .milliseconds(1))
  }

  func acquire(_ key: Key) async throws -> StorageLease? { try await leases.acquire(key, for: time) }

  /// Runs `body` while the leases are extended, and gives them back, also when this task is cancelled.
  func holding(
    _ held: [Key: StorageLease], on clock: any Clock<Duration>, _ body: () async throws -> Void
  ) async throws {
    let heart = Task.detached { [self] in
      while true {
        try await clock.sleep(for: time / 3)
        // What cannot be extended ends, and refuses the write.
        for (key, lease) in held { _ = try await leases.extend(lease, of: key, for: time) }
      }
    }
    let result = await Result(of: body)
    heart.cancel()
    // In a task of its own: this one may be cancelled, and others wait for the lease.
    await Task.detached { [self] in
      for (key, lease) in held {
        // A lease that cannot be given back ends by itself.
        do { try await leases.release(lease, of: key) } catch {}
      }
    }.value
    try result.get()
  }
}

/// Wakes a load that waits for what another process stores: when a store tells of a change of the key, or, where none
/// does, after a while.
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
    // Who is told of changes looks by itself only for holders that store nothing.
    longest = min(invalidationSource == nil ? .milliseconds(25) : .milliseconds(200), keeper.time / 4)
    delay = Locked(invalidationSource == nil ? .milliseconds(1) : longest)
  }

  deinit { listening?.cancel() }

  /// Suspends until the key may have been stored or its lease be free.
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
