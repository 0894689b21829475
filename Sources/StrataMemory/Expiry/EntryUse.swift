/// What must be known of an entry that expires when it is not used.
@usableFromInline
struct EntryUse: BitwiseCopyable, Sendable {
  /// When it was last used, in seconds.
  @usableFromInline var time: Double
  /// When it expires although it is used.
  @usableFromInline var expiry: Double

  @inlinable
  init(time: Double = 0, expiry: Double = .infinity) {
    self.time = time
    self.expiry = expiry
  }
}
