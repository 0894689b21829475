/// The open engines of this process, one per location. It serves engines that several stores must share, because
/// opening a location twice in one process would break it.
package final class SharedEngines<Engine: Sendable>: Sendable {
  private struct Slot {
    let engine: Engine
    var users: Int
  }

  // Held while an engine opens or closes: a concurrent caller for the same location gets a complete engine, or waits
  // until the old one is closed.
  private let open = Locked<[String: Slot]>([:])
  private let close: @Sendable (Engine) -> Void

  /// - Parameter close: closes an engine that is no longer used.
  package init(close: @escaping @Sendable (Engine) -> Void) { self.close = close }

  /// Returns the engine of a location; the first user opens it. `place` must be the same text for the same location:
  /// resolve links first.
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

/// One user's reference to a shared engine. The release of the last reference closes the engine.
package final class EngineLease<Engine: Sendable>: Sendable {
  /// The engine, which is open while this reference exists.
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
