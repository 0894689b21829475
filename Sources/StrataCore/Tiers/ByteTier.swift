#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A byte store as a tier: its bytes as `TypeWrapper`s.
@usableFromInline
package struct ByteTier<Base: StorageAware>: ValueLink where Base.Value == Data {
  @usableFromInline package typealias Key = Base.Key
  @usableFromInline package typealias Value = TypeWrapper

  @usableFromInline package let base: Base
  /// The base, if it takes the values of a batch one at a time; `nil` for other stores.
  let taker: WrapperTaker<Key>?

  @usableFromInline
  package init(_ base: Base) {
    self.base = base
    taker = WrapperTaker(base)
  }

  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { [base] }

  @inlinable
  package func shown(_ entry: Entry<Data>, forKey key: Key) -> Entry<TypeWrapper> {
    entry.map { TypeWrapper(data: $0) }
  }

  @inlinable
  package func stored(_ value: TypeWrapper, forKey key: Key) throws -> Data { try value.data() }
}

extension ByteTier: ConditionalStorage where Base: ConditionalStorage {}

extension ByteTier: SyncConditionalStorage where Base: SyncConditionalStorage {}
