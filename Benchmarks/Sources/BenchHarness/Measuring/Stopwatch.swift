import Dispatch

/// The time since a moment.
public struct Stopwatch: Sendable {
  private let start = DispatchTime.now().uptimeNanoseconds

  /// Starts now.
  public init() {}

  /// Nanoseconds since the start.
  public var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds - start }
}
