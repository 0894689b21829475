#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A wrapper of an object.
///
/// Unchecked for the same reason as its superclass: both properties are `Sendable`, and neither is changed.
@usableFromInline
final class LiveTypeWrapper<Value: Sendable>: TypeWrapper, @unchecked Sendable {
  /// The coding of the object's transformer. Unmanaged: `hold` keeps it alive until `deinit`.
  @usableFromInline let coding: Unmanaged<Coding<Value>>
  /// Never changed. It is a variable so that `withUnsafePointer` does not copy it.
  @exclusivity(unchecked) @usableFromInline final var object: Value

  /// Creates a wrapper, with the bytes from which the object was decoded, if it was. The caller keeps the coding alive
  /// meanwhile.
  @inlinable
  init(_ object: Value, _ coding: Unmanaged<Coding<Value>>, read: Data?) {
    self.object = object
    self.coding = coding
    let part = ThreadTurns.number
    coding._withUnsafeGuaranteedRef { $0.hold(in: part) }
    super.init(part: part, read: read)
  }

  deinit { coding._withUnsafeGuaranteedRef { $0.release(from: part) } }

  override func encoded() throws -> Data { try coding._withUnsafeGuaranteedRef { try $0.toData(object) } }

  override func isCurrent(_ bytes: Data) -> Bool {
    coding._withUnsafeGuaranteedRef { $0.isCurrent?(bytes) ?? true }
  }

  /// Returns whether a transformer reads the same bytes as this object's.
  @inlinable
  func isCoded(by transformer: Transformer<Value>) -> Bool {
    coding._withUnsafeGuaranteedRef { $0.isSame(as: transformer.coding) }
  }

  /// Returns `wrapper as? LiveTypeWrapper<Value>` in a twentieth of the time, and without retaining it, which would
  /// take a third of the time of a hit. The class is final, so comparing the class decides, and the unchecked cast
  /// after it cannot fail. The caller keeps the wrapper alive.
  @inlinable
  @inline(__always)
  static func cast(_ wrapper: TypeWrapper) -> Unmanaged<LiveTypeWrapper<Value>>? {
    guard type(of: wrapper) == LiveTypeWrapper<Value>.self else { return nil }
    return .fromOpaque(Unmanaged.passUnretained(wrapper).toOpaque())
  }
}
