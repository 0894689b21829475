#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Synchronization

/// A value on its way through a chain: the live object, its bytes, or both.
///
/// Bytes are made when a tier first asks for them, and kept until all tiers have them; an object that stays in memory
/// is never encoded. Bytes that were read are decoded once for each type they are read as.
///
/// Unchecked, because a class with a subclass cannot be checked: everything stored is `let` and `Sendable`.
public class TypeWrapper: @unchecked Sendable {
  /// Held while the bytes are made, so that nobody makes them a second time.
  @usableFromInline let bytes: Locked<(made: Data?, count: Int?)>
  /// The same value as the views that read it saw it: a list, each element the next one's owner. It is set once and
  /// released by `deinit`. An `AtomicLazyReference` would be this too, and its `load` takes as long as all else in a
  /// hit.
  @usableFromInline final let next = Atomic<Unmanaged<TypeWrapper>?>(nil)

  /// Wraps bytes.
  public init(data: Data) { bytes = Locked((data, data.count)) }

  /// Wraps an object that subclasses hold.
  @inlinable
  init() { bytes = Locked((nil, nil)) }

  /// Wraps a live object, to be encoded with a transformer if a tier needs its bytes.
  @inlinable
  public static func holding<Value: Sendable>(_ object: Value, transformer: Transformer<Value>) -> TypeWrapper
  {
    LiveTypeWrapper(object, transformer)
  }

  deinit { next.load(ordering: .acquiring)?.release() }

  /// The bytes; encodes the object if they are not there, or its encryption key has been replaced since.
  public final func data() throws -> Data {
    try bytes.withLock { bytes in
      if let made = bytes.made, isCurrent(made) { return made }
      let made = try encoded()
      bytes = (made, made.count)
      return made
    }
  }

  /// How many bytes the encoded value has, if it was encoded already.
  public final var byteCount: Int? { bytes.withLock { $0.count } }

  /// Lets go of bytes that are stored now and can be made again of the object.
  @usableFromInline
  package final func forgetBytes() {
    guard isEncodable else { return }
    let made = bytes.withLock { bytes in
      defer { bytes.made = nil }
      return bytes.made
    }
    withExtendedLifetime(made) {}
  }

  var isEncodable: Bool { false }

  func encoded() throws -> Data { preconditionFailure("a wrapper without an object is made of bytes") }

  /// Whether bytes that were made are as they would be made now.
  func isCurrent(_ bytes: Data) -> Bool { true }

  /// The object, if it is there as this type and the transformer would read the bytes the same way.
  @inlinable
  package final func objectAtHand<Value: Sendable>(as transformer: Transformer<Value>) -> Value? {
    if let live = LiveTypeWrapper<Value>.cast(self), live.transformer.coding.isSame(as: transformer.coding) {
      return live.object
    }
    guard let next = next.load(ordering: .acquiring) else { return nil }
    return next._withUnsafeGuaranteedRef { $0.objectAtHand(as: transformer) }
  }

  /// The object; decodes the bytes unless a view with the same transformer did so before.
  @inlinable
  package final func object<Value: Sendable>(as transformer: Transformer<Value>) throws -> Value {
    if let object = objectAtHand(as: transformer) { return object }
    let object = try transformer.fromData(data())
    remember(LiveTypeWrapper(object, transformer))
    return object
  }

  /// Keeps what was decoded for the next reader. Views are few; a program that makes new ones all the time
  /// must not grow the list for ever.
  @usableFromInline
  final func remember(_ live: TypeWrapper) {
    var last: TypeWrapper = self
    for _ in 0..<4 {
      let kept = Unmanaged.passRetained(live)
      let (isKept, other) = last.next.compareExchange(
        expected: nil, desired: kept, ordering: .acquiringAndReleasing)
      guard !isKept, let other else { return }
      kept.release()
      last = other.takeUnretainedValue()
    }
  }
}

/// A wrapper of a live object.
///
/// Unchecked as its superclass is: both properties are `let` and `Sendable`.
@usableFromInline
final class LiveTypeWrapper<Value: Sendable>: TypeWrapper, @unchecked Sendable {
  @usableFromInline let transformer: Transformer<Value>
  @usableFromInline let object: Value

  @inlinable
  init(_ object: Value, _ transformer: Transformer<Value>) {
    self.object = object
    self.transformer = transformer
    super.init()
  }

  override var isEncodable: Bool { true }

  override func encoded() throws -> Data { try transformer.toData(object) }

  override func isCurrent(_ bytes: Data) -> Bool { transformer.coding.isCurrent?(bytes) ?? true }

  /// `wrapper as? LiveTypeWrapper<Value>` in a twentieth of the time: the class is final, so its objects are those
  /// whose class it is, and the cast behind that comparison cannot fail.
  @inlinable
  static func cast(_ wrapper: TypeWrapper) -> LiveTypeWrapper<Value>? {
    type(of: wrapper) == LiveTypeWrapper<Value>.self
      ? unsafeDowncast(wrapper, to: LiveTypeWrapper<Value>.self) : nil
  }
}

extension TypeWrapper: CustomReflectable {
  /// Nothing: a dump of a store shows none of its values.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
