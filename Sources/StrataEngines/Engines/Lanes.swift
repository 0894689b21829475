#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
public import StrataCore

/// A fixed number of values. Each is used by one thread at a time; a thread can also exclude all others.
///
/// A reader takes any free value, at the cost of one lock that no other thread uses, so readers run concurrently. A
/// caller that must run alone takes all values. Readers need no further lock for this exclusion.
@usableFromInline
package struct Lanes<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let lanes: PaddedBuffer<Locked<Value>>
  /// The number of values at which threads begin their search, a power of two.
  @usableFromInline let starts: Int

  /// Creates `count` values; `count` is a power of two.
  ///
  /// - Parameter starts: the number of values at which threads begin to search for a free one, a power of two. With
  ///   more, threads collide less; with fewer, they use fewer values.
  package init(count: Int, starts: Int = 1, _ make: () -> Value) {
    lanes = PaddedBuffer(count: count) { Locked(make()) }
    self.starts = starts
  }

  /// The number of values.
  package var count: Int { lanes.count }

  /// Runs `body` with the value that a hash selects. Waits for the thread that uses it.
  @inlinable
  package func with<R: Sendable>(_ hash: Int, _ body: (inout Value) throws -> R) rethrows -> R {
    try lanes[hash].pointee.withLock(body)
  }

  /// Runs `body` with a value that no thread uses. Waits if there is none.
  @inlinable
  @inline(__always)
  package func withFree<R: Sendable>(_ body: (inout Value) throws -> R) throws -> R {
    let first = Int(ThreadTurns.number) & (starts &- 1)
    if let result = try lanes[first].pointee.withLockIfAvailable(body) { return result }
    while true { if let result = try withFree(after: first, where: { _ in true }, body) { return result } }
  }

  /// Runs `body` with a value that no thread uses and that meets a condition. Returns `nil` if no value meets it; waits
  /// if only values in use may meet it.
  @inlinable
  package func withFree<R: Sendable>(
    where fits: (Value) -> Bool, _ body: (inout Value) throws -> R
  ) throws -> R? {
    try withFree(after: 0, where: fits, body)
  }

  @inlinable
  @inline(never)
  func withFree<R: Sendable>(
    after first: Int, where fits: (Value) -> Bool, _ body: (inout Value) throws -> R
  ) throws -> R? {
    var rounds = 0
    while true {
      var isAnyInUse = false
      for step in 1...lanes.count {
        let result = try lanes[first &+ step].pointee.withLockIfAvailable { value -> R? in
          fits(value) ? try body(&value) : nil
        }
        guard let result else {
          isAnyInUse = true
          continue
        }
        if let result { return result }
      }
      if !isAnyInUse { return nil }
      rounds += 1
      Self.pause(rounds)
    }
  }

  /// Passes every value to `each`, and runs `body` while no other thread uses a value. Waits for the values in use.
  package func alone<R: Sendable>(
    _ each: (inout Value) -> Void = { _ in }, _ body: () throws -> R
  ) rethrows -> R {
    try alone(from: 0, each, body)
  }

  private func alone<R: Sendable>(
    from index: Int, _ each: (inout Value) -> Void, _ body: () throws -> R
  ) rethrows -> R {
    if index == lanes.count { return try body() }
    return try lanes[index].pointee.withLock { value in
      each(&value)
      return try alone(from: index + 1, each, body)
    }
  }

  /// Runs `body` while no other thread uses a value. It can be called while a thread that uses a value waits for a
  /// thread that wants one.
  ///
  /// New users wait too, but only for a limited time. If a value is still in use by then, the new users run first, and
  /// the attempt is repeated with a longer limit.
  package func aloneYielding<R: Sendable>(_ body: () throws -> R) throws -> R {
    var patience = Duration.milliseconds(1)
    while true {
      if let result = try alone(from: 0, until: .now + patience, body) { return result }
      sched_yield()
      patience = min(patience * 2, .milliseconds(128))
    }
  }

  private func alone<R: Sendable>(
    from index: Int, until deadline: ContinuousClock.Instant, _ body: () throws -> R
  ) throws -> R? {
    if index == lanes.count { return try body() }
    while true {
      let result = try lanes[index].pointee.withLockIfAvailable { _ in
        try alone(from: index + 1, until: deadline, body)
      }
      if let result { return result }
      if ContinuousClock.now > deadline { return nil }
      sched_yield()
    }
  }

  /// Lets other threads run; after a hundred rounds sleeps, since a value may be in use for long.
  @usableFromInline
  static func pause(_ round: Int) {
    if round < 100 { sched_yield() } else { usleep(100) }
  }
}
