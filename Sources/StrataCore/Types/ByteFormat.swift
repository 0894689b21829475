/// What bytes look like, so that two transformers can tell whether they read each other's.
///
/// A format is a list of steps, `json` then `zlib` say. Steps made of a user's own closures cannot be compared: such
/// a format is only the same as itself.
package final class ByteFormat: Sendable {
  private let steps: [String]?

  package init(_ step: String) { steps = [step] }

  package init() { steps = nil }

  private init(steps: [String]?) { self.steps = steps }

  package func then(_ next: ByteFormat) -> ByteFormat {
    guard let steps, let more = next.steps else { return ByteFormat() }
    return ByteFormat(steps: steps + more)
  }

  func isSame(as other: ByteFormat) -> Bool { self === other || steps != nil && steps == other.steps }
}
