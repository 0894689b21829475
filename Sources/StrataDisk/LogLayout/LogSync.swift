import Dispatch
import StrataCore
import Synchronization

/// The position up to which the log is on stable storage.
struct LogSync: Sendable {
  var position: LogPosition
  /// The newest segment whose name is on stable storage.
  var folderSegment = 0
  /// A failed sync: records before this position may be lost. The system reported it to one thread only.
  private(set) var failed: (position: LogPosition, error: SystemError)?

  /// Whether a thread syncs, without the lock.
  private var isRunning = false
  /// The threads that wait for its end.
  private var waiting: [DispatchSemaphore] = []

  init(position: LogPosition) { self.position = position }

  mutating func fail(upTo position: LogPosition, _ error: SystemError) { failed = (position, error) }

  /// What a thread has to do next, until the log is stable up to a position.
  enum Step {
    case nothing
    case fail(SystemError)
    case wait(DispatchSemaphore)
    /// Sync, and then call `end`.
    case sync(from: LogPosition, folderSegment: Int)
  }

  mutating func step(upTo end: LogPosition) -> Step {
    if let failed, end <= failed.position { return .fail(failed.error) }
    if position >= end { return .nothing }
    if isRunning {
      waiting.append(DispatchSemaphore(value: 0))
      return .wait(waiting[waiting.count - 1])
    }
    isRunning = true
    return .sync(from: position, folderSegment: folderSegment)
  }

  /// Records that a sync up to a position has ended. Returns the threads to wake.
  mutating func end(upTo tail: LogPosition, _ error: SystemError?) -> [DispatchSemaphore] {
    if let error {
      // The system reports such a failure once and then forgets it, so later callers get it from here.
      fail(upTo: tail, error)
    } else {
      position = tail
      folderSegment = max(folderSegment, tail.segment)
    }
    isRunning = false
    defer { waiting = [] }
    return waiting
  }
}

extension LogPosition: Comparable {
  static func < (left: LogPosition, right: LogPosition) -> Bool { left.bits < right.bits }
}

extension LogSession {
  /// Returns when the log is on stable storage up to a position.
  ///
  /// Concurrent callers wait for the first one. It syncs all records written before it started. When it ends, all
  /// threads whose records are stable continue together, so that their next writes share a sync too.
  func sync(upTo end: LogPosition) throws {
    while true {
      switch synced.withLock({ $0.step(upTo: end) }) {
      case .nothing: return
      case .fail(let error): try giveUp(error)
      case .wait(let semaphore): semaphore.wait()
      case .sync(let start, let folderSegment):
        let tail = control.tail
        var failure: SystemError?
        do throws(SystemError) {
          try sync(from: start.segment, to: tail.segment)
          if folderSegment < tail.segment { try folder.sync() }
        } catch {
          failure = error
        }
        for thread in synced.withLock({ $0.end(upTo: tail, failure) }) { thread.signal() }
        if let failure { try giveUp(failure) }
        return
      }
    }
  }

  private func giveUp(_ error: SystemError) throws -> Never {
    needsNewSegment.store(true, ordering: .releasing)
    throw error
  }

  /// Returns when the whole log is on stable storage, including records of other processes.
  func syncAll() throws {
    try synced.withLock { _ in
      try sync(from: control.oldest, to: control.tail.segment)
      try folder.sync()
    }
  }

  private func sync(from first: Int, to last: Int) throws(SystemError) {
    var number = max(first, control.oldest)
    while number <= last {
      let result = Result { try segments.segment(number) }
      switch result {
      case .success(let segment): try segment?.file.sync()
      case .failure(let error as SystemError): throw error
      // Reads report a segment that has been damaged meanwhile.
      case .failure: break
      }
      number += 1
    }
  }
}
