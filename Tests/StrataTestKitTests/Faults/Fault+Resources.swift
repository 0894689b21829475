import Foundation
import StrataCore
import TestSupport
import StrataTestKit

extension Fault {
  static let ofResources = [
    Fault(.resources, "opens a file for each read", "descriptors open") { bent in
      let (base, files) = (bent.base, Leak())
      bent.read = {
        if $0.hasSuffix("8") { files.openOne() }
        return try await base.entryIfPresent(forKey: $0)
      }
    },
    Fault(.resources, "starts a thread for each batch", "threads behind") { bent in
      let (base, threads) = (bent.base, Leak())
      bent.readMany = {
        threads.startOne()
        return try await base.entries(forKeys: $0)
      }
    },
    Fault(.resources, "keeps every value", "that were replaced or removed", isBrief: true) { bent in
      let (base, values) = (bent.base, Shared<[Data]>([]))
      bent.write = { value, key, expiry in
        values.change { $0.append(value) }
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
    },
    Fault(
      .blocking, "calls of setObject, in a store that says it never blocks, gave up their thread",
      Subject("never blocks, it says") { Dawdling(Reference(at: $0), mayBlock: false, dawdlesInWrites: true) }
    ),
    Fault(
      .blocking, "calls of cachedEntry and cachedExpiry gave up their thread",
      Subject("waits for what is cached") {
        Dawdling(Reference(at: $0), mayBlock: true, dawdlesInWrites: false)
      }),
  ]

  /// With a sanitizer, the kit does not look for copies.
  static let ofCopies =
    Sanitizer.isOn
    ? []
    : [
      Fault(.resources, "keeps a copy of each removed value", "memory grows", isBrief: true) { bent in
        let (base, copies) = (bent.base, Shared<[[UInt8]]>([]))
        bent.remove = { key in
          if let value = try await base.objectIfPresent(forKey: key) {
            copies.change { $0.append([UInt8](value)) }
          }
          try await base.removeObject(forKey: key)
        }
      },
      Fault(.resources, "keeps a copy of each expired value", "memory grows", isBrief: true) { bent in
        let (base, copies) = (bent.base, Shared<[[UInt8]]>([]))
        bent.write = { value, key, expiry in
          if case .date(.distantPast) = expiry { copies.change { $0.append([UInt8](value)) } }
          try await base.setObject(value, forKey: key, expiry: expiry)
        }
      },
    ]
}

/// Descriptors and threads that a faulty store leaves behind until it is released.
private final class Leak: Sendable {
  private let files = Shared<[CInt]>([])
  private let end = DispatchSemaphore(value: 0)
  private let threads = Shared(0)

  deinit {
    for file in files.value { close(file) }
    for _ in 0..<threads.value { end.signal() }
  }

  func openOne() {
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    // Enough files to be noticed, but not so many that other tests lack descriptors.
    if files.value.count < 400 { files.change { $0.append(file) } } else { close(file) }
  }

  func startOne() {
    if threads.value >= 200 { return }
    threads.change { $0 += 1 }
    let thread = Thread { [end] in end.wait() }
    thread.stackSize = 1 << 16
    thread.start()
  }
}

/// A correct store that sleeps in calls that must not wait.
private struct Dawdling: TellingStorage {
  let base: Reference
  let mayBlock: Bool
  let dawdlesInWrites: Bool

  init(_ base: Reference, mayBlock: Bool, dawdlesInWrites: Bool) {
    self.base = base
    self.mayBlock = mayBlock
    self.dawdlesInWrites = dawdlesInWrites
  }

  var clock: StorageClock { base.clock }
  func cachedEntry(forKey key: String) -> CacheLookup<Entry<Data>> {
    if !dawdlesInWrites { usleep(100) }
    return base.cachedEntry(forKey: key)
  }
  func entryIfPresent(forKey key: String) throws -> Entry<Data>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    if dawdlesInWrites { usleep(100) }
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}
