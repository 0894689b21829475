/// The progress of `reencrypt`.
///
/// ```swift
/// let done = try secrets.reencrypt { progress in print("\(progress.visited) of \(progress.total)") }
/// print("\(done.rewritten) values were encrypted again")
/// ```
public struct Reencryption: Sendable {
  /// The number of values when the work began, or the number of values read if that is higher.
  public internal(set) var total: Int
  /// The number of values that were read.
  public internal(set) var visited = 0
  /// The number of values stored again with the newest key. The others already used it, or have been removed.
  public internal(set) var rewritten = 0
  /// The number of values that could not be decrypted. They are left unchanged.
  public internal(set) var refused = 0

  var refusal: EncryptorError?

  init(total: Int) { self.total = total }

  mutating func visit(_ count: Int) {
    visited += count
    total = max(total, visited)
  }

  mutating func note(_ error: EncryptorError) {
    refused += 1
    refusal = refusal ?? error
  }

  /// Returns the final counts. Throws if any value could not be decrypted.
  func finish() throws -> Reencryption {
    guard let refusal else { return self }
    throw refusal.with(
      reason:
        "\(refused) of \(total) values could not be decrypted and were left unchanged, one of them because "
        + (refusal.reason ?? "it is damaged"))
  }

  /// The number of values that are read at a time.
  static let batchSize = 32
}
