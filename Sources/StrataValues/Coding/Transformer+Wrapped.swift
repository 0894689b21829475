#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Transformer {
  /// The transformations of the bytes, which do not depend on the type: compression and encryption.
  package var byteSteps: [ByteTransformer] { coding.steps }

  /// Returns a transformer of values that contain values of this transformer. It is as confidential as this
  /// transformer.
  ///
  /// - Parameter inner: returns the bytes of this transformer that the given bytes contain.
  package func wrapped<U>(
    _ name: String, inner: @escaping @Sendable (Data) throws -> Data,
    toData: @escaping @Sendable (U) throws -> Data, fromData: @escaping @Sendable (Data) throws -> U
  ) -> Transformer<U> {
    let isCurrent = coding.isCurrent.map { isCurrent -> @Sendable (Data) -> Bool in
      { bytes in
        // Bytes that can no longer be read are encoded again.
        do { return try isCurrent(inner(bytes)) } catch { return false }
      }
    }
    return Transformer<U>(
      format: format.then(ByteFormat(name)), isConfidential: isConfidential, isCurrent: isCurrent,
      steps: coding.steps, toData: toData, fromData: fromData)
  }
}
