#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataDelegate

/// Times are seconds since the reference date, as in a `Date`.
extension MemoryTable {
  /// Returns the date on which an entry expires, by its own expiry or for lack of use.
  @inlinable
  @inline(__always)
  func expiry(of index: UInt32) -> Expiry {
    self[index].pointee.state.isTimed ? timedExpiry(of: index) : .never
  }

  /// Returns the date on which a looked-up entry expires, without reading the cache line of its page.
  @inlinable
  @inline(__always)
  func expiry(of found: Found) -> Expiry {
    found.node.pointee.state.isTimed ? timedExpiry(of: found.index) : .never
  }

  @inlinable
  @inline(__always)
  func timedExpiry(of index: UInt32) -> Expiry {
    guard let idleTime else { return .date(Date(timeIntervalSinceReferenceDate: timers.deadline(of: index))) }
    return .date(Date(timeIntervalSinceReferenceDate: min(uses[index].expiry, uses[index].time + idleTime)))
  }

  /// Returns the expiry that an entry was written with.
  @inlinable
  func ownExpiry(of index: UInt32) -> Expiry {
    guard self[index].pointee.state.isTimed, idleTime != nil else { return expiry(of: index) }
    let expiry = uses[index].expiry
    return expiry == .infinity ? .never : .date(Date(timeIntervalSinceReferenceDate: expiry))
  }

  /// Sets the expiry of an entry that has just been written.
  @inlinable
  mutating func setExpiry(_ expiry: Expiry, of index: UInt32, now: Double) {
    if self[index].pointee.state.isTimed {
      timers.cancel(index)
      self[index].pointee.state.isTimed = false
    }
    if expiry == .never, idleTime == nil { return }
    var deadline = expiry == .never ? .infinity : expiry.date.timeIntervalSinceReferenceDate
    if let idleTime {
      uses.addPage(of: index, filledWith: EntryUse())
      uses[index] = EntryUse(time: now, expiry: deadline)
      deadline = min(deadline, now + idleTime)
    }
    timers.set(index, deadline: deadline)
    self[index].pointee.state.isTimed = true
  }

  /// Returns the expiry of an entry that is being read, and whether it is valid. A valid entry's idle time begins anew.
  @inlinable
  mutating func use(_ index: UInt32, clock: StorageClock) -> (expiry: Expiry, isValid: Bool) {
    let expiry = expiry(of: index)
    if expiry.isExpired(by: clock) { return (expiry, false) }
    guard let idleTime else { return (expiry, true) }
    let now = clock.now.timeIntervalSinceReferenceDate
    let wasSetBack = now < uses[index].time
    uses[index].time = now
    if wasSetBack {
      // The entry now expires earlier than its timer runs out.
      timers.cancel(index)
      timers.set(index, deadline: min(uses[index].expiry, now + idleTime))
    }
    return (self.expiry(of: index), true)
  }

  /// Returns an entry that has expired by `now`, or `nil` if there is none or no step is left.
  @inlinable
  mutating func nextExpired(at now: Double, steps: inout Int) -> UInt32? {
    while let index = timers.next(at: now, steps: &steps) {
      if let idleTime {
        // A use does not move the timer, which would slow down every hit. The timer is set again when it runs out.
        let deadline = min(uses[index].expiry, uses[index].time + idleTime)
        if deadline > now {
          timers.set(index, deadline: deadline)
          continue
        }
      }
      self[index].pointee.state.isTimed = false
      return index
    }
    return nil
  }
}
