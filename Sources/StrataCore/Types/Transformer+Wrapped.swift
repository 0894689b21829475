#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Transformer {
  /// The last steps, which are taken whatever the type: compression and encryption.
  package var byteSteps: [ByteTransformer] { coding.steps }

  /// A transformer of values around those of this one, as confidential as it.
  package func wrapped<U>(
    _ name: String, toData: @escaping @Sendable (U) throws -> Data,
    fromData: @escaping @Sendable (Data) throws -> U
  ) -> Transformer<U> {
    Transformer<U>(
      format: format.then(ByteFormat(name)), isConfidential: isConfidential, steps: coding.steps,
      toData: toData,
      fromData: fromData)
  }
}
