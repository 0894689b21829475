/// Whether a dictionary store makes dictionaries by itself.
public struct ZstdTraining: Sendable {
  /// How a training ended.
  public enum Outcome: Sendable {
    /// Values are written with this dictionary from now on.
    case switched(to: ZstdDictionary)
    /// The new dictionary would save less than a twentieth, and was dropped.
    case notWorthIt
    /// No dictionary could be made or stored. Values are written as before.
    case failed(any Error)
  }

  /// How many values are looked at before a dictionary is made of a sample of them; `nil`: none is.
  let values: Int?
  let maximumSize: Int
  let onEnd: (@Sendable (Outcome) -> Void)?

  /// Dictionaries are those that the program adds.
  public static let manual = ZstdTraining(values: nil, maximumSize: 0, onEnd: nil)

  /// Samples what is written, trains in the background, and switches to the dictionary if it saves a twentieth or more.
  ///
  /// Afterwards it watches how much is saved. When that falls by a fifth, it samples and trains anew. While it samples
  /// it keeps up to 1 000 values, and up to 16 kB of each.
  ///
  /// - Parameters:
  ///   - values: how many values are looked at, of which up to 1 000 are the sample.
  ///   - maximumSize: the most bytes of a dictionary.
  ///   - onEnd: is told how a training ended, on a thread of its own.
  public static func automatic(
    after values: Int = 1000, maximumSize: Int = ZstdDictionary.usualSize,
    onEnd: (@Sendable (Outcome) -> Void)? = nil
  ) -> ZstdTraining {
    precondition(values > 0, "a dictionary is made of values")
    return ZstdTraining(values: values, maximumSize: maximumSize, onEnd: onEnd)
  }
}
