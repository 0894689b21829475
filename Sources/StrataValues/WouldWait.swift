/// Thrown by an operation that must be done at once and would have to wait.
///
/// ```swift
/// do { print(try cache.read("ada", .atOnce) == nil) } catch is WouldWait { print("unknown") }
/// ```
public struct WouldWait: Error {
  /// Creates the error.
  @inlinable
  public init() {}
}
