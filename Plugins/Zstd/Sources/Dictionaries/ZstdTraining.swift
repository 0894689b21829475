/// The settings of a dictionary store for automatic training.
///
/// ```swift
/// let dictionaries = try ZstdDictionaryStore(
///   in: disk, training: .automatic(after: 5000, onEnd: { outcome in print("training: \(outcome)") }))
/// ```
public struct ZstdTraining: Sendable {
  /// The outcome of a training.
  public enum Outcome: Sendable {
    /// New values use this dictionary from now on.
    case switched(to: ZstdDictionary)
    /// The new dictionary would save less than a twentieth, and was dropped.
    case notWorthIt
    /// No dictionary could be made or stored. Values are written as before.
    case failed(any Error)
  }

  /// The number of values to sample from before a training; `nil` for no training.
  let values: Int?
  let maximumSize: Int
  let onEnd: (@Sendable (Outcome) -> Void)?

  /// Uses only dictionaries that the program adds.
  public static let manual = ZstdTraining(values: nil, maximumSize: 0, onEnd: nil)

  /// Samples written values, trains in the background, and switches to the new dictionary if it saves a twentieth or
  /// more.
  ///
  /// Afterwards, when the compression ratio falls by a fifth, it samples and trains again. While sampling it keeps up
  /// to 1 000 values, up to 16 kB of each.
  ///
  /// - Parameters:
  ///   - values: the number of written values from which a sample of up to 1 000 is drawn.
  ///   - maximumSize: the maximum size of a dictionary in bytes.
  ///   - onEnd: called with the outcome of each training, on a separate thread.
  public static func automatic(
    after values: Int = 1000, maximumSize: Int = ZstdDictionary.usualSize,
    onEnd: (@Sendable (Outcome) -> Void)? = nil
  ) -> ZstdTraining {
    precondition(values > 0, "training needs at least one value, not \(values)")
    return ZstdTraining(values: values, maximumSize: maximumSize, onEnd: onEnd)
  }
}
