/// Timers by node index, in the order in which they run out, without a search and without a pass over all.
///
/// Time is cut into ticks, and a tick is a number of seven digits to the base 64. A timer lies in the bucket of the
/// highest digit in which its tick differs from the present one, by the value of that digit: a wheel of 64 buckets a
/// digit. When the present reaches a bucket, its timers run out or move to a lower wheel; so each moves at most six
/// times in its life, and setting or cancelling one is O(1). Work comes in steps of one timer each, and the caller says
/// how many.
///
/// Where the clock is set back, the wheels turn back with it: all timers are set anew, one a step as well.
///
/// A timer runs out up to a tick late. Whether an entry is valid is told by its date, never by this.
@usableFromInline
struct TimerWheel: ~Copyable, Sendable {
  /// One timer: when it runs out, in seconds, and its place in a bucket.
  @usableFromInline
  struct Timer: BitwiseCopyable, Sendable {
    @usableFromInline var deadline: Double = 0
    @usableFromInline var previous = none
    @usableFromInline var next = none
    /// The number of its bucket.
    @usableFromInline var bucket = none
  }

  @usableFromInline static var none: UInt32 { .max }
  /// Short enough that nobody misses the memory, long enough that few buckets are passed empty.
  static var ticksPerSecond: Double { 8 }
  private static var digits: Int { 7 }
  /// Dates beyond it wait in the last bucket: 17 000 years.
  private static var lastTick: UInt64 { 1 << 42 - 1 }
  /// The bucket of the timers that are looked at one by one, whose time has come.
  private static var due: UInt32 { UInt32(digits * 64) }

  /// By how many ticks the time may go back before the wheels do: the times of several threads come in no exact order.
  private static var slack: UInt64 { 8 }

  /// The first timer of each bucket; none before there is a timer. Behind them, once the clock was set back, those of
  /// the buckets as they were then.
  private var buckets: [UInt32] = []
  /// A bit for each bucket that is not empty, a word a wheel.
  private var occupied: [UInt64] = []
  private var timers = PagedArray<Timer>()
  /// The present tick: all earlier ones are done with.
  private var present: UInt64 = 0
  /// The next of the former buckets to be set anew; `nil` if none is left.
  private var former: Int?
  /// How many timers are set.
  @usableFromInline private(set) var count = 0

  @usableFromInline init() {}

  /// When a timer runs out.
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

  /// Hands a timer on to an index that has none.
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

  /// Lets go of what is kept for so many indices from one on; none of them has a timer.
  @usableFromInline
  mutating func removePages(from index: UInt32, count: UInt32) {
    timers.removePages(from: index, count: count)
  }

  /// The next timer that has run out by a time, or `nil` if there is none or no step is left. It is no longer set.
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

  /// Has the timers of the present tick looked at too, some of which may have run out within it: for a sweep that must
  /// miss none. To be called after `next` has returned `nil` with steps left.
  @usableFromInline
  mutating func lookAtPresent() {
    if count > 0, buckets[Int(Self.due)] == Self.none { takeOut(wheel: 0, digit: Int(present & 63)) }
  }

  // MARK: Time

  private static func tick(_ time: Double) -> UInt64 {
    let ticks = time * ticksPerSecond
    // Not a number counts as never.
    guard ticks < Double(lastTick) else { return lastTick }
    return ticks > 0 ? UInt64(ticks) : 0
  }

  /// Goes on to the next bucket that is not empty and makes its timers due. `false`: there is none up to the tick, and
  /// all the time before it is done with.
  private mutating func advance(to tick: UInt64) -> Bool {
    guard tick > present else { return false }
    // All in a lower wheel come before all in a higher one.
    guard let wheel = occupied.firstIndex(where: { $0 != 0 }) else {
      present = tick
      return false
    }
    let digit = occupied[wheel].trailingZeroBitCount
    let above = present >> (6 * (wheel + 1))
    let start = (above << 6 | UInt64(digit)) << (6 * wheel)
    // What lies in the lowest wheel has run out when its tick has passed.
    guard wheel == 0 ? start < tick : start <= tick else {
      present = tick
      return false
    }
    present = start
    takeOut(wheel: wheel, digit: digit)
    return true
  }

  /// Sets the present to an earlier tick. The timers lie where they do by the tick that was the present: they must all
  /// be set anew.
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

  /// Makes the timers of one of the former buckets due; `false` if none is left.
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

  /// Makes all timers of a bucket due: one by one they will run out or be set anew.
  private mutating func takeOut(wheel: Int, digit: Int) {
    let bucket = wheel * 64 + digit
    let index = buckets[bucket]
    guard index != Self.none else { return }
    buckets[bucket] = Self.none
    occupied[wheel] &= ~(1 << UInt64(digit))
    buckets[Int(Self.due)] = index
    // Each is told its new bucket when it is reached; only the first must know it now, as the list's head.
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
      // The first of its bucket; the next one learns of a bucket that was made due by this.
      buckets[Int(timer.bucket)] = timer.next
      if timer.next != Self.none { timers[timer.next].bucket = timer.bucket }
      if timer.next == Self.none, timer.bucket < Self.due {
        occupied[Int(timer.bucket) / 64] &= ~(1 << UInt64(timer.bucket % 64))
      }
    }
  }
}
