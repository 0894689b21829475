import Dispatch

/// Measures the time since its creation.
public struct Stopwatch: Sendable {
  private let start = DispatchTime.now().uptimeNanoseconds

  /// Starts the stopwatch.
  public init() {}

  /// Nanoseconds since the start.
  public var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds - start }
}
