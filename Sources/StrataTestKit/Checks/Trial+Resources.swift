#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Dispatch
import StrataCore

extension Trial {
  /// Counts the descriptors and threads of the process before and after many operations.
  ///
  /// Tests that run at the same time may open descriptors and threads too, so only a number that grows with the
  /// operations counts as a leak.
  func resources() async throws {
    guard let before = try openResources() else { throw NotPromised() }
    let store = try await open()
    try await expectRelease(in: store)
    try await expectNoCopies(in: store)
    let operations = Effort.current.operations
    // The first operations fill pools and open files that are kept.
    try await useMuch(store, operations / 10)
    guard let filled = try openResources() else { throw NotPromised() }
    try await useMuch(store, operations)
    guard let after = try openResources() else { throw NotPromised() }
    let allowed = max(32, operations / 200)
    try expect(
      after.descriptors - filled.descriptors <= allowed,
      "\(operations) operations leave \(after.descriptors - filled.descriptors) descriptors open")
    try expect(
      after.threads - filled.threads <= allowed,
      "\(operations) operations leave \(after.threads - filled.threads) threads behind")
    try expect(
      filled.descriptors - before.descriptors <= 500,
      "the store has \(filled.descriptors - before.descriptors) descriptors open")
  }

  /// Checks that the store releases values that were replaced or removed. A store that stores copies of the bytes
  /// releases the values at once.
  private func expectRelease(in store: Store) async throws {
    let (values, size) = (200, self.size(1000))
    let kept = Shared(values)
    for number in 0..<values {
      let key = "released \(number % 50)"
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
      memory.initializeMemory(as: UInt8.self, repeating: UInt8(number), count: size)
      let value = Data(
        bytesNoCopy: memory, count: size,
        deallocator: .custom { memory, _ in
          memory.deallocate()
          kept.change { $0 -= 1 }
        })
      if number % 2 == 0 {
        try await store.setObject(value, forKey: key, expiry: nil)
      } else {
        try await store.setObjects([key: value], expiry: nil)
      }
      if number % 3 == 0 { try await store.removeObject(forKey: key) }
    }
    try await store.removeObjects(forKeys: (0..<50).map { "released \($0)" })
    // A store may release a value later, on another thread, or keep the last few.
    try await waitUntil(within: .seconds(1)) { kept.value <= values / 4 }
    try expect(
      kept.value <= values / 4,
      "of \(values) values that were replaced or removed, \(kept.value) are in memory")
  }

  /// Performs operations of every kind.
  private func useMuch(_ store: Store, _ operations: Int) async throws {
    for number in 0..<operations {
      let key = "key \(number % 50)"
      switch number % 10 {
      case 0, 1:
        try await store.setObject(bytes(number % 200, seed: number), forKey: key, expiry: .seconds(1e6))
      case 2: try await store.removeObject(forKey: key)
      case 3: _ = try await store.entries(forKeys: [key, "absent"])
      case 4: try await store.setObjects([key: bytes(10, seed: number)], expiry: nil)
      case 5 where number % 100 == 5: _ = try await store.keys()
      case 6 where number % 100 == 6: try await store.removeExpiredObjects()
      case 7: _ = try await store.expiryIfPresent(forKey: key)
      default: _ = try await store.objectIfPresent(forKey: number % 3 == 0 ? "absent" : key)
      }
    }
  }

  private func openResources() throws -> (descriptors: Int, threads: Int)? {
    #if os(Linux)
      let (descriptors, threads) = ("/proc/self/fd", "/proc/self/task")
      return (
        try FileManager.default.contentsOfDirectory(atPath: descriptors).count,
        try FileManager.default.contentsOfDirectory(atPath: threads).count
      )
    #else
      nil
    #endif
  }

  /// Counts how often the calling thread is suspended by the system. Reads from the cache must not wait; in a store
  /// that never blocks, no operation may.
  func blocking() async throws {
    #if os(Linux)
      guard let store = try await open() as? any SyncStorageAware<String, Data> else { throw NotPromised() }
      try await store.setObject(text("value"), forKey: "key", expiry: nil)
      _ = try await store.objectIfPresent(forKey: "key")
      try await expectNoWait("cachedEntry and cachedExpiry") { number in
        let key = number % 2 == 0 ? "key" : "absent"
        _ = (store.cachedEntry(forKey: key), store.cachedExpiry(forKey: key), store.peek(forKey: key))
      }
      if store.mayBlock { return }
      try await expectNoWait("setObject, in a store that says it never blocks,") { number in
        try store.setObject(text("value"), forKey: "key \(number % 9)", expiry: nil)
      }
      try await expectNoWait("object and removeObject, in a store that says it never blocks,") { number in
        _ = try store.objectIfPresent(forKey: "key \(number % 9)")
        try store.removeObject(forKey: "key \(number % 9)")
      }
    #else
      throw NotPromised()
    #endif
  }

  #if os(Linux)
    /// Throws `BrokenPromise` if the calls wait. An uncontended lock or a short allocation does not suspend the thread.
    /// A few calls of many may wait inside the C library.
    private func expectNoWait(_ name: String, _ call: @escaping @Sendable (Int) throws -> Void) async throws {
      let calls = 200
      let waits = try await onThreadOfItsOwn {
        try call(0)
        let before = voluntarySwitches()
        for number in 0..<calls { try call(number) }
        return voluntarySwitches() - before
      }
      try expect(waits <= calls / 10, "\(calls) calls of \(name) gave up their thread \(waits) times")
    }
  #endif
}

#if os(Linux)
  /// Returns how often this thread has waited. The constant 1 is `RUSAGE_THREAD`, which Swift's module of the C library
  /// lacks.
  private func voluntarySwitches() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(1), &usage)
    return usage.ru_nvcsw
  }
#endif

/// Runs blocking code on a new thread, so that it does not occupy a thread of the tasks.
func onThreadOfItsOwn<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "StrataTestKit").async { continuation.resume(with: Result { try body() }) }
  }
}
