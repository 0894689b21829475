#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A byte store as a tier of its own: the same bytes, wrapped.
package struct ByteTier<Bytes: StorageAware>: StorageAware where Bytes.Value == Data {
  package typealias Key = Bytes.Key
  package typealias Value = TypeWrapper

  let bytes: Bytes

  package init(_ bytes: Bytes) { self.bytes = bytes }

  package var wrappedStorages: [any StorageDesign] { [bytes] }
  package var clock: StorageClock { bytes.clock }
  package var mayBlock: Bool { bytes.mayBlock }
  package var hub: StorageHub<Key>? { bytes.hub }
}
