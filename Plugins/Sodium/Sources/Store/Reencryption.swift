/// How far `reencrypt` has come.
public struct Reencryption: Sendable {
  /// How many values there were when it began.
  public let total: Int
  /// How many of them were looked at.
  public internal(set) var visited = 0
  /// How many were stored again under the newest key. The others were already, or are gone.
  public internal(set) var rewritten = 0
  /// How many could not be decrypted. They stay as they are.
  public internal(set) var refused = 0

  var refusal: EncryptorError?

  init(total: Int) { self.total = total }

  mutating func note(_ error: EncryptorError) {
    refused += 1
    refusal = refusal ?? error
  }

  /// Throws if anything could not be decrypted.
  func finish() throws -> Reencryption {
    guard let refusal else { return self }
    throw refusal.with(
      reason:
        "of \(total) values \(refused) could not be decrypted and were left as they are, one of them because "
        + (refusal.reason ?? "it is damaged"))
  }

  /// The values are read in batches of so many.
  static let batchSize = 32
}

extension Array {
  /// The elements in order, so many at a time.
  func batches(of size: Int) -> some Sequence<[Element]> {
    stride(from: 0, to: count, by: size).lazy.map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
