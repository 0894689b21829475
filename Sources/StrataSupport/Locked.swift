#if STRATA_PTHREAD_LOCK
  #if canImport(Darwin)
    import Darwin
  #else
    import Glibc
  #endif
#else
  public import Synchronization
#endif

/// A value that is guarded by a lock.
///
/// The only kind of lock in the package: a `FutexLock` on Linux, and `Synchronization.Mutex` elsewhere. With the
/// compile-time flag `STRATA_PTHREAD_LOCK` it is a pthread mutex, for runs under ThreadSanitizer.
///
/// Unchecked: on Linux `value` is only accessed between lock and unlock of `gate`, in `withLock` and
/// `withLockIfAvailable`.
@usableFromInline
package struct Locked<Value: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
  #if STRATA_PTHREAD_LOCK
    @usableFromInline let box: PthreadBox<Value>

    @inlinable
    package init(_ value: consuming Value) { box = PthreadBox(value) }

    /// Runs `body` with exclusive access to the value.
    @inlinable
    package func withLock<R: Sendable, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
      try box.withLock(body)
    }

    /// Runs `body` with exclusive access to the value. Returns `nil`, without waiting, if another thread holds the
    /// lock.
    @inlinable
    package func withLockIfAvailable<R: Sendable, E: Error>(
      _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R? {
      try box.withLockIfAvailable(body)
    }
  #elseif os(Linux)
    @usableFromInline let gate = FutexLock()
    @usableFromInline let value: _Cell<Value>

    @inlinable
    package init(_ value: consuming Value) { self.value = _Cell(value) }

    /// Runs `body` with exclusive access to the value.
    @inlinable
    @inline(__always)
    package func withLock<R: Sendable, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
      gate.lock()
      defer { gate.unlock() }
      // ThreadSanitizer takes a change by way of `value` itself for a change of `gate` too.
      let address = value._address
      return try body(&address.pointee)
    }

    /// Runs `body` with exclusive access to the value. Returns `nil`, without waiting, if another thread holds the
    /// lock.
    @inlinable
    package func withLockIfAvailable<R: Sendable, E: Error>(
      _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R? {
      guard gate.tryLock() else { return nil }
      defer { gate.unlock() }
      let address = value._address
      return try body(&address.pointee)
    }
  #else
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    package init(_ value: consuming Value) { mutex = Mutex(value) }

    /// Runs `body` with exclusive access to the value.
    @inlinable
    @inline(__always)
    package func withLock<R: Sendable, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
      try mutex.withLock { (value) throws(E) in try body(&value) }
    }

    /// Runs `body` with exclusive access to the value. Returns `nil`, without waiting, if another thread holds the
    /// lock.
    @inlinable
    package func withLockIfAvailable<R: Sendable, E: Error>(
      _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R? {
      try mutex.withLockIfAvailable { (value) throws(E) in try body(&value) }
    }
  #endif
}

#if STRATA_PTHREAD_LOCK
  /// A pthread mutex and the value it guards.
  ///
  /// The value has memory of its own. As a field of the object, a value of zero bytes would have the object's own
  /// address. ThreadSanitizer would then take a change of the value for a change of the object.
  ///
  /// Unchecked: `value` is only accessed between lock and unlock of `mutex`, in `withLock`.
  @usableFromInline
  final class PthreadBox<Value: ~Copyable & Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    @usableFromInline
    init(_ value: consuming Value) {
      self.value = .allocate(capacity: 1)
      self.value.initialize(to: value)
      mutex = .allocate(capacity: 1)
      mutex.initialize(to: pthread_mutex_t())
      precondition(pthread_mutex_init(mutex, nil) == 0)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    @usableFromInline
    func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }

    @usableFromInline
    func withLockIfAvailable<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R? {
      guard pthread_mutex_trylock(mutex) == 0 else { return nil }
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
#endif
