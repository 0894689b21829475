/// A description of encoded bytes. Two transformers with equal formats read each other's bytes.
///
/// A format is a list of steps, for example `json`, then `zlib`. Steps made of a user's closures cannot be compared: a
/// format with such a step only equals itself.
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
