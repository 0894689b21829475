/// Where a store keeps its entries.
public struct SQLiteConfig: Sendable {
  /// The path.
  public var path: String
}
