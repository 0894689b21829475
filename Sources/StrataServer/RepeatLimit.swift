#if Server
  import StrataCore

  /// Limits how often events of one kind pass.
  final class RepeatLimit: Sendable {
    struct Kind: Hashable {
      let tier: String
      let name: String
      let error: String?
    }

    private let interval: Duration
    private let now: @Sendable () -> Duration
    private let last = Locked<[Kind: (time: Duration, leftOut: Int)]>([:])

    init(_ interval: Duration, _ clock: some Clock<Duration>) {
      self.interval = interval
      now = startStopwatch(clock)
    }

    /// Returns how many events of a kind were left out before this one; `nil` if it is to be left out.
    func next(_ kind: Kind) -> Int? {
      let now = now()
      return last.withLock { last in
        if let known = last[kind], now - known.time < interval {
          last[kind]?.leftOut += 1
          return nil
        }
        defer { last[kind] = (now, 0) }
        return last[kind]?.leftOut ?? 0
      }
    }
  }
#endif
