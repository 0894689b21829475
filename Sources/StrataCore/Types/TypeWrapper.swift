#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Synchronization

/// A value inside a chain: the object, its bytes, or both.
///
/// ```swift
/// let wrapper = TypeWrapper.holding(ada, transformer: .codable(User.self))
/// let json = try wrapper.data()   // Encodes the user, once.
/// ```
///
/// The object is encoded when a tier first needs its bytes; an object that stays in memory is never encoded. The bytes
/// are kept until every tier has stored them. Bytes that were read are decoded once for each type, and stay with the
/// object: they may hold more than the object, for views of other types.
///
/// Unchecked, because the compiler cannot check a class that has a subclass: every stored property is `let` and
/// `Sendable`.
public class TypeWrapper: @unchecked Sendable {
  /// The lock is held while the object is encoded, so that it is encoded only once.
  @usableFromInline let bytes: Locked<Encoded>
  /// The part of its coding's count in which a wrapper of an object is counted. It fits behind `bytes` without making
  /// the object larger.
  @usableFromInline final let part: UInt8
  /// Whether the bytes were read: they may hold more than an object that was decoded from them, and so are never
  /// released or encoded again.
  @usableFromInline final let wasRead: Bool
  /// The first element of a linked list of the same value, decoded by other views; each element owns the next. It is
  /// set once and released by `deinit`. An `AtomicLazyReference` would do the same, but its `load` alone takes as long
  /// as the rest of a hit.
  @usableFromInline final let next = Atomic<Unmanaged<TypeWrapper>?>(nil)

  /// The encoded bytes, and their count, which is kept after the bytes have been released.
  ///
  /// A struct and not a tuple: the runtime function that destroys a tuple takes a twentieth of the time of a write to
  /// memory.
  @usableFromInline
  struct Encoded: Sendable {
    @usableFromInline var made: Data?
    @usableFromInline var count: Int?

    @inlinable
    init(made: Data?, count: Int?) {
      self.made = made
      self.count = count
    }
  }

  /// Creates a wrapper of bytes.
  public init(data: Data) {
    bytes = Locked(Encoded(made: data, count: data.count))
    part = 0
    wasRead = true
  }

  /// Creates a wrapper of an object that a subclass holds, and of the bytes from which it was decoded, if it was.
  @inlinable
  init(part: UInt8, read: Data?) {
    bytes = Locked(Encoded(made: read, count: read?.count))
    self.part = part
    wasRead = read != nil
  }

  /// Returns a wrapper of an object, which `transformer` encodes if a tier needs its bytes.
  @inlinable
  public static func holding<Value: Sendable>(_ object: Value, transformer: Transformer<Value>) -> TypeWrapper
  {
    .live(object, transformer)
  }

  /// Does not retain the coding, which would be a write of one cache line by all threads.
  @inlinable
  static func live<Value: Sendable>(
    _ object: Value, _ transformer: Transformer<Value>, read: Data? = nil
  ) -> LiveTypeWrapper<Value> {
    withExtendedLifetime(transformer) {
      LiveTypeWrapper(object, .passUnretained(transformer.coding), read: read)
    }
  }

  deinit { next.load(ordering: .acquiring)?.release() }

  /// Returns the bytes. Encodes the object if there are none yet, or if the encryption key has been replaced since.
  public final func data() throws -> Data {
    try bytes.withLock { bytes in
      if let made = bytes.made, wasRead || isCurrent(made) { return made }
      let made = try encoded()
      bytes = Encoded(made: made, count: made.count)
      return made
    }
  }

  /// Returns the bytes, as `data()` does. An error names the key.
  @usableFromInline
  package final func data(forKey key: some Sendable) throws -> Data {
    do { return try data() } catch let error as StorageError { throw error.with(key: key) }
  }

  /// Returns what is known of this wrapper in front and one whose bytes the last tier has. Nothing if this one would
  /// have to be encoded: that may give other bytes for the same value.
  @usableFromInline
  package final func agreement(with stored: TypeWrapper) -> TierAgreement {
    if stored.isSame(as: self) { return .ofEntries }
    guard let own = bytes.withLock({ $0.made }), let others = stored.bytes.withLock({ $0.made }) else {
      return .unknown
    }
    return own == others ? .ofValues : .unknown
  }

  /// Returns whether another wrapper is known to hold the same value.
  func isSame(as wrapper: TypeWrapper) -> Bool { false }

  /// The size of the encoded value in bytes, or `nil` if it has not been encoded yet.
  public final var byteCount: Int? { bytes.withLock { $0.count } }

  /// Releases bytes that have been stored and can be encoded from the object again.
  @usableFromInline
  package final func forgetBytes() {
    if wasRead { return }
    let made = bytes.withLock { bytes in
      defer { bytes.made = nil }
      return bytes.made
    }
    withExtendedLifetime(made) {}
  }

  func encoded() throws -> Data { preconditionFailure("a wrapper without an object is made of bytes") }

  /// Returns whether encoded bytes are up to date: `false` if their encryption key has been replaced since.
  func isCurrent(_ bytes: Data) -> Bool { true }

  /// Whether this wrapper holds bytes, and no object of its own.
  @inlinable
  package final var holdsNoObject: Bool { type(of: self) == TypeWrapper.self }

  /// Replaces a wrapper that holds no object by the wrapper of the first object that a reader has decoded from its
  /// bytes, if there is one. The new wrapper has the same bytes. Not inlined, since it happens once for each value.
  @usableFromInline
  @inline(never)
  package static func useDecoded(_ wrapper: UnsafeMutablePointer<TypeWrapper>) {
    guard let decoded = wrapper.pointee.next.load(ordering: .acquiring) else { return }
    wrapper.pointee = decoded.takeUnretainedValue()
  }

  /// Returns the object if it has been decoded as this type, by a transformer that reads the bytes the same way.
  @inlinable
  package final func cachedObject<Value: Sendable>(as transformer: Transformer<Value>) -> Value? {
    if let live = LiveTypeWrapper<Value>.cast(self) {
      let object = live._withUnsafeGuaranteedRef { $0.isCoded(by: transformer) ? $0.object : nil }
      if let object { return object }
    }
    guard let next = next.load(ordering: .acquiring) else { return nil }
    return next._withUnsafeGuaranteedRef { $0.cachedObject(as: transformer) }
  }

  /// Returns the result of `body` for the object that `cachedObject` returns, or `nil` without one.
  @inlinable
  @inline(__always)
  package final func _withCachedObject<Value: Sendable, R>(
    as transformer: Transformer<Value>, _ body: (UnsafePointer<Value>) -> R?
  ) -> R? {
    if let live = LiveTypeWrapper<Value>.cast(self),
      live._withUnsafeGuaranteedRef({ $0.isCoded(by: transformer) })
    {
      return live._withUnsafeGuaranteedRef { live in
        #if STRATA_PTHREAD_LOCK
          // ThreadSanitizer takes the access in place for a write, and reports reads on two threads as a race.
          return withUnsafePointer(to: live.object, body)
        #else
          return withUnsafePointer(to: &live.object, body)
        #endif
      }
    }
    guard next.load(ordering: .acquiring) != nil, let object = cachedObject(as: transformer) else {
      return nil
    }
    return withUnsafePointer(to: object, body)
  }

  /// Returns the object. Decodes the bytes unless a view with the same transformer has done so before.
  @inlinable
  package final func object<Value: Sendable>(as transformer: Transformer<Value>) throws -> Value {
    if let object = cachedObject(as: transformer) { return object }
    let bytes = try data()
    let object: Value
    do { object = try transformer.fromData(bytes) } catch { throw LoadedBytes.error(reading: bytes) ?? error }
    remember(.live(object, transformer, read: wasRead ? bytes : nil))
    return object
  }

  /// Keeps a decoded object for later reads. Views are few, but the list is limited to four elements: a program that
  /// creates new views all the time must not grow it without end.
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

extension TypeWrapper: CustomReflectable {
  /// An empty mirror: a dump of a store shows no values.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
