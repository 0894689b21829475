/// What a client has learned of its bucket, so that it need not ask again.
struct BucketKnowledge: Sendable {
  /// Whether the bucket exists.
  var exists = false
  /// Whether the server obeys the conditions of writes.
  var hasConditions = false
  /// The prefixes of stores that have, or once had, entries with an expiry.
  var expiring: Set<String> = []
  /// When this client has stored the marks of those stores.
  var marked: [String: ContinuousClock.Instant] = [:]
}
