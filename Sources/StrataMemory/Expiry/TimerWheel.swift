/// Timers by node index, in the order in which they run out, without a search or a pass over all of them.
///
/// A hierarchical timer wheel. Time is counted in ticks, and a tick is a number of seven digits to the base 64, with
/// one wheel of 64 buckets for each digit. A timer lies in the wheel of the highest digit in which its tick differs
/// from the present one, in the bucket of that digit's value. When the present reaches a bucket, its timers run out or
/// move to a lower wheel. So each timer moves at most six times, and setting or cancelling one is O(1). Work is done in
/// steps of one timer each, and the caller limits the steps.
///
/// If the clock is set back, the wheels turn back with it: all timers are set again, also one per step.
///
/// A timer runs out up to a tick late. Whether an entry is valid is decided by its date, never by its timer.
@usableFromInline
struct TimerWheel: ~Copyable, Sendable {
  /// A timer: its deadline in seconds, and its place in the list of a bucket.
  @usableFromInline
  struct Timer: BitwiseCopyable, Sendable {
    @usableFromInline var deadline: Double = 0
    @usableFromInline var previous = none
    @usableFromInline var next = none
    /// The number of its bucket.
    @usableFromInline var bucket = none
  }

  @usableFromInline static var none: UInt32 { .max }
  /// Short enough to free memory soon, long enough that few buckets are passed empty.
  static var ticksPerSecond: Double { 8 }
  private static var digits: Int { 7 }
  /// The last tick, 17 000 years ahead. Later dates wait in the last bucket.
  private static var lastTick: UInt64 { 1 << 42 - 1 }
  /// The bucket of due timers, which are examined one by one.
  private static var due: UInt32 { UInt32(digits * 64) }

  /// How many ticks the time may go back before the wheels turn back: threads pass their times in no exact order.
  private static var slack: UInt64 { 8 }

  /// The first timer of each bucket; empty before the first timer is set. After the clock was set back, the former
  /// buckets follow.
  private var buckets: [UInt32] = []
  /// A bit for each bucket that is not empty, one word per wheel.
  private var occupied: [UInt64] = []
  private var timers = PagedArray<Timer>()
  /// The present tick. All earlier ticks have been processed.
  private var present: UInt64 = 0
  /// The next of the former buckets whose timers must be set again; `nil` if none is left.
  private var former: Int?
  /// The number of timers that are set.
  @usableFromInline private(set) var count = 0

  @usableFromInline init() {}

  /// Returns the time when a timer runs out.
  @usableFromInline
  func deadline(of index: UInt32) -> Double { timers[index].deadline }

  /// Sets a timer that is not set.
  @usableFromInline
  mutating func set(_ index: UInt32, deadline: Double) {
    if buckets.isEmpty {
      buckets = Array(repeating: Self.none, count: Self.digits * 64 + 1)
      occupied = Array(repeating: 0, count: Self.digits)
    }
    timers.addPage(of: index, filledWith: Timer())
    timers[index].deadline = deadline
    link(index)
    count += 1
  }

  /// Cancels a timer that is set.
  @usableFromInline
  mutating func cancel(_ index: UInt32) {
    unlink(index)
    count -= 1
  }

  /// Moves a timer to an index that has none.
  @usableFromInline
  mutating func move(_ index: UInt32, to other: UInt32) {
    timers.addPage(of: other, filledWith: Timer())
    let timer = timers[index]
    timers[other] = timer
    if timer.previous == Self.none {
      buckets[Int(timer.bucket)] = other
    } else {
      timers[timer.previous].next = other
    }
    if timer.next != Self.none { timers[timer.next].previous = other }
  }

  /// Frees the memory for `count` indices, beginning with `index`. None of them may have a timer.
  @usableFromInline
  mutating func removePages(from index: UInt32, count: UInt32) {
    timers.removePages(from: index, count: count)
  }

  /// Unsets and returns the next timer that has run out by `time`, or returns `nil` if there is none or no step is
  /// left.
  @usableFromInline
  mutating func next(at time: Double, steps: inout Int) -> UInt32? {
    let tick = Self.tick(time)
    if tick + Self.slack < present, former == nil, count > 0 { turnBack(to: tick) }
    while steps > 0, count > 0 {
      let index = buckets[Int(Self.due)]
      if index == Self.none {
        if takeOutFormer() { continue }
        guard advance(to: tick) else { return nil }
        continue
      }
      steps -= 1
      unlink(index)
      if timers[index].deadline <= time {
        count -= 1
        return index
      }
      link(index)
    }
    return nil
  }

  /// Makes the timers of the present tick due, since some may have run out within it: for a sweep that must miss none.
  /// Call it after `next` has returned `nil` with steps left.
  @usableFromInline
  mutating func lookAtPresent() {
    if count > 0, buckets[Int(Self.due)] == Self.none { takeOut(wheel: 0, digit: Int(present & 63)) }
  }

  // MARK: Time

  private static func tick(_ time: Double) -> UInt64 {
    let ticks = time * ticksPerSecond
    // NaN counts as never.
    guard ticks < Double(lastTick) else { return lastTick }
    return ticks > 0 ? UInt64(ticks) : 0
  }

  /// Advances to the next bucket that is not empty and makes its timers due. Returns `false` if there is none up to
  /// `tick`; all time before it has then been processed.
  private mutating func advance(to tick: UInt64) -> Bool {
    guard tick > present else { return false }
    // All timers in a lower wheel run out before any in a higher one.
    guard let wheel = occupied.firstIndex(where: { $0 != 0 }) else {
      present = tick
      return false
    }
    let digit = occupied[wheel].trailingZeroBitCount
    let above = present >> (6 * (wheel + 1))
    let start = (above << 6 | UInt64(digit)) << (6 * wheel)
    // Timers in the lowest wheel have run out only when their tick has passed.
    guard wheel == 0 ? start < tick : start <= tick else {
      present = tick
      return false
    }
    present = start
    takeOut(wheel: wheel, digit: digit)
    return true
  }

  /// Sets the present to an earlier tick. The timers were placed relative to the former present, so all must be set
  /// again.
  private mutating func turnBack(to tick: UInt64) {
    present = tick
    let due = Int(Self.due)
    if buckets.count == due + 1 { buckets += Array(repeating: Self.none, count: due) }
    for bucket in 0..<due where buckets[bucket] != Self.none {
      let place = due + 1 + bucket
      buckets.swapAt(bucket, place)
      timers[buckets[place]].bucket = UInt32(place)
    }
    for wheel in occupied.indices { occupied[wheel] = 0 }
    former = due + 1
  }

  /// Makes the timers of one of the former buckets due. Returns `false` if none is left.
  private mutating func takeOutFormer() -> Bool {
    while let place = former {
      former = place + 1 < buckets.count ? place + 1 : nil
      guard buckets[place] != Self.none else { continue }
      buckets.swapAt(place, Int(Self.due))
      timers[buckets[Int(Self.due)]].bucket = Self.due
      return true
    }
    return false
  }

  /// Makes all timers of a bucket due. They then run out or are set again, one by one.
  private mutating func takeOut(wheel: Int, digit: Int) {
    let bucket = wheel * 64 + digit
    let index = buckets[bucket]
    guard index != Self.none else { return }
    buckets[bucket] = Self.none
    occupied[wheel] &= ~(1 << UInt64(digit))
    buckets[Int(Self.due)] = index
    // Only the first timer of the list needs its new bucket number now; the others are updated when they are reached.
    timers[index].bucket = Self.due
  }

  // MARK: Buckets

  private mutating func link(_ index: UInt32) {
    let tick = max(Self.tick(timers[index].deadline), present)
    let difference = tick ^ present
    let wheel = difference == 0 ? 0 : (63 - difference.leadingZeroBitCount) / 6
    let digit = Int(tick >> (6 * wheel)) & 63
    let bucket = wheel * 64 + digit
    let first = buckets[bucket]
    timers[index].previous = Self.none
    timers[index].next = first
    timers[index].bucket = UInt32(bucket)
    if first != Self.none { timers[first].previous = index }
    buckets[bucket] = index
    occupied[wheel] |= 1 << UInt64(digit)
  }

  private mutating func unlink(_ index: UInt32) {
    let timer = timers[index]
    if timer.next != Self.none { timers[timer.next].previous = timer.previous }
    if timer.previous != Self.none {
      timers[timer.previous].next = timer.next
    } else {
      // The timer was the first of its bucket. The next timer may still have the number of its former bucket.
      buckets[Int(timer.bucket)] = timer.next
      if timer.next != Self.none { timers[timer.next].bucket = timer.bucket }
      if timer.next == Self.none, timer.bucket < Self.due {
        occupied[Int(timer.bucket) / 64] &= ~(1 << UInt64(timer.bucket % 64))
      }
    }
  }
}
