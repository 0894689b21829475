#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A wrapper of the bytes that the last tier has during an update.
///
/// Unchecked for the same reason as its superclass: the property is `Sendable`, and is not changed.
final class BackTypeWrapper: TypeWrapper, @unchecked Sendable {
  /// The wrapper that certainly holds the same value, if there is one and it still exists.
  private let same: ObjectIdentifier?

  init(_ bytes: Data, sameAs same: ObjectIdentifier?) {
    self.same = same
    super.init(data: bytes)
  }

  override func isSame(as wrapper: TypeWrapper) -> Bool { same == ObjectIdentifier(wrapper) }
}
