/// A file of requests or of references is not what it should be.
public struct TraceError: Error, CustomStringConvertible, Equatable {
  /// What is wrong, and where.
  public let description: String

  init(_ description: String) { self.description = description }
}
