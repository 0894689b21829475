/// Where a store keeps its entries.
public struct LMDBConfig: Sendable {
  /// The path.
  public var path: String
}
