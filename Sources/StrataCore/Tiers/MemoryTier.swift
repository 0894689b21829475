/// A store in memory as a tier in front of another: a `peek` tells all that it holds.
package protocol MemoryTier {
  /// When values expire that are stored without an expiry.
  var ownExpiry: Expiry { get }
}
