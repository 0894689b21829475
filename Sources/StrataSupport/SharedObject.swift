/// An object that many threads look up at a time, and that is seldom replaced.
///
/// Each thread looks it up in one of several holders, whose lock and reference count are in cache lines of their own.
/// A single lock, or the reference count of the object itself, would be a cache line that all threads write.
package final class SharedObject<Object: AnyObject & Sendable>: Sendable {
  /// Keeps the object as long as a thread uses it. The padding keeps others' reference counts out of its cache lines.
  package final class Holder: Sendable {
    package let object: Object
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    private let morePadding: (UInt64, UInt64, UInt64, UInt64, UInt64)

    init(_ object: Object) {
      self.object = object
      padding = (0, 0, 0, 0, 0, 0, 0, 0)
      morePadding = (0, 0, 0, 0, 0)
    }
  }

  private static var count: Int { 16 }
  private let holders = PaddedBuffer<Locked<Holder?>>(count: SharedObject.count) { Locked(nil) }

  package init() {}

  /// Returns the holder of the object for this thread, or `nil` without an object.
  package var holder: Holder? { holders[stackNumber].pointee.withLock { $0 } }

  /// Replaces the object, and returns a holder of it. Some threads find the old one until the call returns.
  package func set(_ object: Object) -> Holder {
    for number in 0..<Self.count {
      let holder = Holder(object)
      holders[number].pointee.withLock { $0 = holder }
    }
    return Holder(object)
  }

  /// Removes the object if it has not been replaced. Some threads find it until the call returns.
  package func remove(_ object: Object) {
    for number in 0..<Self.count {
      holders[number].pointee.withLock { if $0?.object === object { $0 = nil } }
    }
  }
}
