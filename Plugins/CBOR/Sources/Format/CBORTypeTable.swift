import Synchronization

/// Facts about types that take the runtime long to find, such as conformances: found once for each type, then looked up
/// by its metatype in a few nanoseconds.
///
/// Unchecked: slots are atomic, and an entry never changes once a slot points to it. Entries are never freed. A program
/// has a bounded number of types, and beyond `capacity` facts are found again each time.
final class CBORTypeTable<Fact>: @unchecked Sendable {
  private struct Entry {
    let type: UInt
    let fact: Fact
  }

  private let slots: UnsafeMutablePointer<Atomic<UInt>>
  private let capacity = 1024
  /// The number of slots that may hold a type.
  private let reach = 8

  init() {
    slots = .allocate(capacity: capacity)
    for slot in 0..<capacity { (slots + slot).initialize(to: Atomic(0)) }
  }

  /// Returns the fact about a type, which `find` finds if it is not known yet.
  @inline(__always)
  func fact(of type: Any.Type, _ find: () -> Fact) -> Fact {
    let type = UInt(bitPattern: ObjectIdentifier(type))
    let first = slot(of: type)
    if let entry = entry(at: first), entry.pointee.type == type { return entry.pointee.fact }
    return farther(type, first) ?? insert(type, find())
  }

  /// Metadata of types are aligned, so the lowest bits are always zero.
  @inline(__always)
  private func slot(of type: UInt) -> Int {
    Int(truncatingIfNeeded: (type >> 4) ^ (type >> 13)) & (capacity - 1)
  }

  @inline(__always)
  private func entry(at slot: Int) -> UnsafePointer<Entry>? {
    UnsafePointer(bitPattern: (slots + slot).pointee.load(ordering: .acquiring))
  }

  @inline(never)
  private func farther(_ type: UInt, _ first: Int) -> Fact? {
    for step in 1..<reach {
      guard let entry = entry(at: (first + step) & (capacity - 1)) else { return nil }
      if entry.pointee.type == type { return entry.pointee.fact }
    }
    return nil
  }

  @inline(never)
  private func insert(_ type: UInt, _ fact: Fact) -> Fact {
    let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    entry.initialize(to: Entry(type: type, fact: fact))
    for step in 0..<reach {
      let slot = slots + ((self.slot(of: type) + step) & (capacity - 1))
      let (isOurs, _) = slot.pointee.compareExchange(
        expected: 0, desired: UInt(bitPattern: entry), ordering: .acquiringAndReleasing)
      if isOurs { return fact }
    }
    entry.deinitialize(count: 1)
    entry.deallocate()
    return fact
  }
}
