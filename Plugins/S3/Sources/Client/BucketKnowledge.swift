/// Facts about the bucket that a client has learned from the server, and therefore need not request again.
struct BucketKnowledge: Sendable {
  /// Whether the bucket exists.
  var exists = false
  /// Whether the server is known to evaluate the conditions of writes (`If-Match`).
  var hasConditions = false
  /// Whether the server is known to refuse lists of the parts of an object.
  var hidesParts = false
  /// The expiry marks that are known to be stored: one per store that has, or once had, entries with an expiry.
  var expiring: Set<String> = []
  /// The time at which this client last stored each expiry mark.
  var marked: [String: ContinuousClock.Instant] = [:]
}
