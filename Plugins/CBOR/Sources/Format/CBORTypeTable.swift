import Synchronization

/// Facts about types that take the runtime long to find, such as conformances. Each is found once, then looked up by
/// the type's metatype in a few nanoseconds.
///
/// Unchecked: slots are atomic, and an entry never changes once a slot points to it. A table is a global. It never
/// frees its entries, whose number is limited.
struct CBORTypeTable<Fact>: @unchecked Sendable {
  private struct Entry {
    let type: UInt
    let fact: Fact
  }

  private let slots: UnsafeMutablePointer<Atomic<UInt>>
  private let mask: Int
  /// The number of slots that may hold a type.
  private static var reach: Int { 8 }

  /// - Parameter capacity: the number of slots, a power of two.
  init(capacity: Int = 4096) {
    slots = .allocate(capacity: capacity)
    mask = capacity - 1
    for slot in 0..<capacity { (slots + slot).initialize(to: Atomic(0)) }
  }

  /// Returns the fact about a type, which `find` finds if it is not known yet; `nil` if the table is full.
  @inline(__always)
  func fact(of type: Any.Type, _ find: () -> Fact) -> Fact? {
    let type = UInt(bitPattern: ObjectIdentifier(type))
    let first = slot(of: type, 0)
    if let entry = entry(at: first), entry.pointee.type == type { return entry.pointee.fact }
    return farther(type, find)
  }

  /// Metadata of types are aligned, so the lowest bits are always zero.
  @inline(__always)
  private func slot(of type: UInt, _ step: Int) -> Int {
    (Int(truncatingIfNeeded: (type >> 4) ^ (type >> 16)) &+ step) & mask
  }

  @inline(__always)
  private func entry(at slot: Int) -> UnsafePointer<Entry>? {
    UnsafePointer(bitPattern: slots[slot].load(ordering: .acquiring))
  }

  @inline(never)
  private func farther(_ type: UInt, _ find: () -> Fact) -> Fact? {
    for step in 0..<Self.reach {
      guard let entry = entry(at: slot(of: type, step)) else { return insert(type, find(), from: step) }
      if entry.pointee.type == type { return entry.pointee.fact }
    }
    return nil
  }

  private func insert(_ type: UInt, _ fact: Fact, from first: Int) -> Fact? {
    let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    entry.initialize(to: Entry(type: type, fact: fact))
    for step in first..<Self.reach {
      let (isOurs, other) = slots[slot(of: type, step)].compareExchange(
        expected: 0, desired: UInt(bitPattern: entry), ordering: .acquiringAndReleasing)
      if isOurs { return fact }
      // Another thread may have found the same at the same time. Its fact counts.
      if let other = UnsafePointer<Entry>(bitPattern: other), other.pointee.type == type {
        entry.deinitialize(count: 1)
        entry.deallocate()
        return other.pointee.fact
      }
    }
    entry.deinitialize(count: 1)
    entry.deallocate()
    return nil
  }
}
