/// The engines that are open in this process, one a place: for engines that several stores share, because opening a
/// place twice in one process would break them.
package final class SharedEngines<Engine: Sendable>: Sendable {
  private struct Slot {
    let engine: Engine
    var users: Int
  }

  // Held while an engine opens or closes: whoever opens the same place meanwhile gets one that is whole, or waits until
  // the old one is closed.
  private let open = Locked<[String: Slot]>([:])
  private let close: @Sendable (Engine) -> Void

  /// - Parameter close: ends an engine that nobody uses any more.
  package init(close: @escaping @Sendable (Engine) -> Void) { self.close = close }

  /// The engine of a place, which the first user opens. `place` must be the same text for the same place: resolve links
  /// first.
  package func lease(_ place: String, opening: () throws -> Engine) throws -> EngineLease<Engine> {
    let engine = try open.withLock { (open) throws -> Engine in
      if let slot = open[place] {
        open[place] = Slot(engine: slot.engine, users: slot.users + 1)
        return slot.engine
      }
      let engine = try opening()
      open[place] = Slot(engine: engine, users: 1)
      return engine
    }
    return EngineLease(engine, at: place, of: self)
  }

  fileprivate func giveBack(_ place: String) {
    open.withLock { open in
      guard let slot = open[place] else { return }
      if slot.users > 1 {
        open[place] = Slot(engine: slot.engine, users: slot.users - 1)
      } else {
        open[place] = nil
        close(slot.engine)
      }
    }
  }
}

/// One user's share in an engine; the last one to go closes it.
package final class EngineLease<Engine: Sendable>: Sendable {
  /// The engine, open as long as this lives.
  package let engine: Engine
  private let place: String
  private let owner: SharedEngines<Engine>

  fileprivate init(_ engine: Engine, at place: String, of owner: SharedEngines<Engine>) {
    self.engine = engine
    self.place = place
    self.owner = owner
  }

  deinit { owner.giveBack(place) }
}
