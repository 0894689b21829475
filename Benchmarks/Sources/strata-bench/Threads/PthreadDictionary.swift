#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A dictionary behind a pthread mutex, which a running thread can take while others are being woken.
///
/// Unchecked `Sendable`: the dictionary is only used with the mutex held, whose address never changes.
final class PthreadDictionary<Key: Hashable & Sendable, Value: Weighable>: Cache, @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var entries: [Key: Value] = [:]

  init() {
    mutex.initialize(to: pthread_mutex_t())
    precondition(pthread_mutex_init(mutex, nil) == 0)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func value(forKey key: Key) -> Value? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return entries[key]
  }

  func store(_ value: Value, forKey key: Key) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    entries[key] = value
  }
}
