import Dispatch
import Foundation

/// The time since a moment.
public struct Stopwatch: Sendable {
  private let start = DispatchTime.now().uptimeNanoseconds

  /// Starts now.
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
