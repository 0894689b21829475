#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The begin of an operation that is measured, or none. A plain number: an optional `ContinuousClock.Instant` is copied
/// by functions of the runtime, which takes longer than to read the clock.
@usableFromInline
struct Stopwatch: Sendable {
  @usableFromInline let begin: UInt64

  @inlinable
  init(begin: UInt64) { self.begin = begin }

  /// No measurement.
  @inlinable
  static var off: Stopwatch { Stopwatch(begin: 0) }

  /// Begins a measurement.
  @usableFromInline
  static func start() -> Stopwatch { Stopwatch(begin: monotonicNanoseconds()) }

  /// Whether the operation is measured.
  @inlinable
  var isRunning: Bool { begin != 0 }

  /// The time since the begin; `nil` if the operation is not measured.
  var duration: Duration? { isRunning ? .nanoseconds(Int64(monotonicNanoseconds() - begin)) : nil }
}

/// Returns the nanoseconds of a monotonic clock that all processes of the machine share.
package func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
