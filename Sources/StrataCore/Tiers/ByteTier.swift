#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A byte store as a tier: its bytes as `TypeWrapper`s.
@usableFromInline
package struct ByteTier<Bytes: StorageAware>: StorageAware where Bytes.Value == Data {
  @usableFromInline package typealias Key = Bytes.Key
  @usableFromInline package typealias Value = TypeWrapper

  @usableFromInline let bytes: Bytes

  @usableFromInline
  package init(_ bytes: Bytes) { self.bytes = bytes }

  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { [bytes] }
  @inlinable
  package var clock: StorageClock { bytes.clock }
  @usableFromInline
  package var mayBlock: Bool { bytes.mayBlock }
  @usableFromInline
  package var coordinator: StorageCoordinator<Key>? { bytes.coordinator }
  @usableFromInline
  package var invalidationSource: InvalidationSource<Key>? { bytes.invalidationSource }
}
