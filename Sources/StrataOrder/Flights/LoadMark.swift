import Synchronization

/// The number of loads, of all stores in the process, that had stored a value at one moment.
///
/// A caller takes a mark before it reads a store. If no load has stored a value since, once the caller has begun its
/// own load, the read has missed nothing, and the store need not be read again. A mark needs neither the store's
/// coordinator nor a lock, so that hits take one too.
package struct LoadMark: Sendable {
  private static let stored = Atomic(0)

  private let stored: Int

  /// The current mark.
  package static var now: LoadMark { LoadMark(stored: stored.load(ordering: .sequentiallyConsistent)) }

  /// Whether no load has stored a value since.
  var isCurrent: Bool { stored == Self.now.stored }

  /// Records that a load has stored its value. Call it before the load ends: afterwards another caller may begin one.
  static func advance() { stored.add(1, ordering: .sequentiallyConsistent) }
}
