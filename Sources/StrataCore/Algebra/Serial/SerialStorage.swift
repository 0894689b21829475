/// A keyed store with its operations in one line: one at a time, first come first served. Made by `serial()`.
///
/// Threads and tasks stand in the same line, whatever their keys: threads by blocking, tasks by suspending. Do not mix
/// both on the threads of Swift's cooperative pool, where a task may need the very thread that a blocked one holds.
///
/// - A task that is cancelled while it waits throws `CancellationError`, and the others keep their places; an operation
///   that has started is finished.
/// - A call from inside `update` throws `StorageError.deadlock`. With a closure that may suspend this holds for all
///   that the tasks it starts do before the update has ended; start one that is not waited for with `Task.detached`.
/// - `peek` alone does not wait: it shows what is at hand at the moment, past the line.
public struct SerialStorage<Base: StorageAware>: StorageAware {
  /// The keys of the store below.
  public typealias Key = Base.Key
  /// The values of the store below.
  public typealias Value = Base.Value

  @usableFromInline let base: Base
  @usableFromInline let line: SerialLine

  @usableFromInline
  init(_ base: Base) {
    self.base = base
    line = SerialLine(tasksMayWait: mayWait(base))
  }

  /// "serial".
  public var storageName: String { "serial" }
  /// The store below.
  public var wrappedStorages: [any StorageDesign] { [base] }
  /// The clock of the store below.
  @inlinable
  public var clock: StorageClock { base.clock }
  /// Always: even over a store that never does, a call may have to wait for its turn.
  public var mayBlock: Bool { true }
  /// None: what stands above this store waits in an order of its own.
  public var hub: StorageHub<Key>? { nil }
  /// That of the store below.
  public var announcer: StorageAnnouncer<Key>? { base.announcer }

  /// What the store below has at hand, past the line.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key) }
}
