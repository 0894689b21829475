import Foundation
import TestSupport
import Testing

@testable import Strata
@testable import StrataLoading

/// Random operations on a loading store. Each result is compared with the results that a simple model allows.
@Suite("Loading: a random model (Soak)", .endsInTime)
struct LoadingModelSoakTests {
  /// The model's knowledge of one key. Times are seconds since the start.
  struct Known {
    var value: Int
    var freshUntil: Double
    var keptUntil: Double
    var isTagged: Bool
  }

  struct Model {
    let fresh = 10.0, stale = 20.0, pause = 3.0
    var now = 0.0
    var version = 1
    var isDown = false
    var stored: [String: Known] = [:]
    var retry: [String: Double] = [:]

    /// Returns the result of a read, or `nil` if it throws, and applies the read's effects to the model.
    mutating func read(_ key: String) -> Int? {
      if let known = stored[key], now >= known.keptUntil { stored[key] = nil }
      if let known = stored[key] {
        if now < known.freshUntil { return known.value }
        if now < retry[key, default: 0] { return known.value }
      }
      if isDown {
        retry[key] = now + pause
        return stored[key]?.value
      }
      retry[key] = nil
      stored[key] = Known(
        value: version, freshUntil: now + fresh, keptUntil: now + fresh + stale,
        isTagged: version.isMultiple(of: 2))
      return version
    }
  }

  @Test(
    "reads, writes, removals, tags, failures and time", arguments: 0..<UInt64(Soak.rounds(40, soak: 1000)))
  func rounds(_ round: UInt64) async throws {
    let seed = Soak.seed &+ round
    var random = SeededGenerator(seed: seed)
    var model = Model()
    let time = ManualClock()
    let source = Shared((version: 1, isDown: false))
    let policy = LoadPolicy(
      freshFor: .seconds(model.fresh), staleFor: .seconds(model.stale),
      retryAfter: .fixed(.seconds(model.pause)))
    let cache = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock)).loading(
      policy, clock: time
    ) {
      (_: LoadRequest<String, Int>) in
      let (version, isDown) = source.value
      if isDown { throw Source.Down() }
      return .value(version, tags: version.isMultiple(of: 2) ? ["even"] : [])
    }
    var history: [String] = []
    for _ in 0..<80 {
      let key = ["a", "b", "c"].randomElement(using: &random) ?? "a"
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<5:
        history.append("read \(key)")
        let expected = model.read(key)
        var found: Int?
        do { found = try await cache.object(forKey: key) } catch is Source.Down {}
        #expect(found == expected, "seed \(seed): \(history)")
      case 5:
        history.append("set \(key)")
        model.stored[key] = Known(
          value: -1, freshUntil: model.now + model.fresh, keptUntil: model.now + model.fresh + model.stale,
          isTagged: false)
        model.retry[key] = nil
        try await cache.setObject(-1, forKey: key, expiry: nil)
      case 6:
        history.append("remove \(key)")
        (model.stored[key], model.retry[key]) = (nil, nil)
        try await cache.removeObject(forKey: key)
      case 7:
        history.append("remove even")
        model.stored = model.stored.filter { !$0.value.isTagged }
        try await cache.remove(tagged: "even")
      case 8:
        history.append("expire \(key)")
        if let known = model.stored[key], model.now < known.keptUntil {
          model.stored[key]?.freshUntil = min(known.freshUntil, model.now)
        }
        model.retry[key] = nil
        try await cache.expire(forKey: key)
      case 9:
        model.version += 1
        source.change { $0.version += 1 }
        history.append("version \(model.version)")
      case 10:
        model.isDown.toggle()
        source.change { $0.isDown.toggle() }
        history.append(model.isDown ? "down" : "up")
      default:
        let seconds = Double.random(in: 0...8, using: &random)
        model.now += seconds
        time.advance(by: .seconds(seconds))
        history.append("\(seconds) s")
      }
    }
  }
}
