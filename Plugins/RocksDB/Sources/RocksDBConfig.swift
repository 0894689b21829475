/// Where a store keeps its entries.
public struct RocksDBConfig: Sendable {
  /// The path.
  public var path: String
}
