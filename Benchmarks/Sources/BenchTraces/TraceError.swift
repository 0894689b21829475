/// The error for a malformed file of requests or of reference ratios.
public struct TraceError: Error, CustomStringConvertible, Equatable {
  /// The problem and its location.
  public let description: String

  init(_ description: String) { self.description = description }
}
