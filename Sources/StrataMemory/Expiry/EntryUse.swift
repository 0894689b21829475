/// The times that decide about the expiry of an entry if an idle time is set.
@usableFromInline
struct EntryUse: BitwiseCopyable, Sendable {
  /// The time of the last use, in seconds.
  @usableFromInline var time: Double
  /// The entry's own expiry, which uses do not extend.
  @usableFromInline var expiry: Double

  @inlinable
  init(time: Double = 0, expiry: Double = .infinity) {
    self.time = time
    self.expiry = expiry
  }
}
