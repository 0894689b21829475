import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Measures the time since its creation.
public struct Stopwatch: Sendable {
  private let start = DispatchTime.now().uptimeNanoseconds

  /// Starts the stopwatch.
  public init() {}

  /// Nanoseconds since the start.
  public var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds - start }

  /// Nanoseconds that the processors have spent on this process so far.
  public static var processorNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
