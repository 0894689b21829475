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
  package var hub: StorageHub<Key>? { bytes.hub }
  @usableFromInline
  package var announcer: StorageAnnouncer<Key>? { bytes.announcer }
}
