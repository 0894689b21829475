#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

/// The times of one entry by a policy, in seconds since the reference date.
extension LoadPolicy {
  /// Returns the end of an entry's freshness. A store of plain values does not keep when the load began, so the
  /// maximum age does not apply there.
  func end<Value>(of cached: Cached<Value>) -> Double {
    guard let neverOlderThan, cached.began > -.infinity else { return cached.end }
    return min(cached.end, cached.began + neverOlderThan.inSeconds)
  }

  /// Returns the time from which a read checks whether an entry is due for a refresh; `.infinity` for never.
  func refreshTime<Value>(of cached: Cached<Value>) -> Double {
    let life = cached.end - cached.began
    // A value without an end is never near it, and an infinite time cannot be divided.
    guard life > 0, life < .infinity, cached.value != nil else { return .infinity }
    switch refreshAhead {
    case .never: return .infinity
    case .at(let part): return part > 0 && part < 1 ? cached.began + part * life : .infinity
    case .between(let first, let last):
      guard first >= 0, last <= 1, first <= last else { return .infinity }
      // Derived from the load, so that all readers of one value agree.
      let choice = Double((cached.began.bitPattern &* 0x9E37_79B9_7F4A_7C15) >> 11) * 0x1p-53
      return cached.began + (first + (last - first) * choice) * life
    case .probabilistic(let beta):
      // Earlier the probability is below 2⁻⁶⁴.
      return beta > 0 ? cached.end - 45 * beta * Double(cached.loadTime) : .infinity
    }
  }

  /// Returns whether a read refreshes a fresh entry. `random` is above 0 and at most 1.
  func refreshes<Value>(_ cached: Cached<Value>, now: Double, random: Double) -> Bool {
    guard now >= refreshTime(of: cached) else { return false }
    guard case .probabilistic(let beta) = refreshAhead else { return true }
    return now - Double(cached.loadTime) * beta * log(random) >= cached.end
  }

  /// The shortest time for which a value without a time of its own is fresh; `nil` for as long as it is stored.
  var shortestFreshTime: Expiry? { freshFor == nil ? nil : .seconds(freshTime(nil, random: 1)) }

  /// Returns how long a value is fresh for which the loader returned this time, in seconds; `.infinity` for as long as
  /// it is stored.
  func freshTime(_ own: Duration?, random: Double) -> Double {
    guard let time = own ?? freshFor else { return .infinity }
    return time.inSeconds * (own == nil ? 1 - min(max(jitter, 0), 1) * random : 1)
  }
}
