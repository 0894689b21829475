#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Transformer {
  /// The last steps, which are taken whatever the type: compression and encryption.
  package var byteSteps: [ByteTransformer] { coding.steps }

  /// A transformer of values around those of this one, as confidential as it.
  ///
  /// - Parameter inner: the bytes of this transformer among those of the other.
  package func wrapped<U>(
    _ name: String, inner: @escaping @Sendable (Data) throws -> Data,
    toData: @escaping @Sendable (U) throws -> Data, fromData: @escaping @Sendable (Data) throws -> U
  ) -> Transformer<U> {
    let isCurrent = coding.isCurrent.map { isCurrent -> @Sendable (Data) -> Bool in
      { bytes in
        // Bytes that cannot be read any more are made anew.
        do { return try isCurrent(inner(bytes)) } catch { return false }
      }
    }
    return Transformer<U>(
      format: format.then(ByteFormat(name)), isConfidential: isConfidential, isCurrent: isCurrent,
      steps: coding.steps, toData: toData, fromData: fromData)
  }
}
