import Strata
import TestSupport
import Testing

@Suite("Loading: events and figures", .timeLimit(.minutes(5)), .endsInTime)
struct StatisticsTests {
  @Test("a quantile is the upper bound of its bucket")
  func quantiles() {
    var histogram = DurationHistogram()
    #expect(histogram.quantile(0.5) == nil)
    for milliseconds in 1...100 { histogram.add(.milliseconds(milliseconds)) }
    for (part, exact) in [(0.5, 50.0), (0.99, 99), (1, 100), (0, 1)] {
      let found = (histogram.quantile(part) ?? .zero) / .milliseconds(1)
      #expect(found >= exact && found <= exact * 1.4143, "\(part): \(found)")
    }
    histogram.add(.seconds(1_000_000))
    #expect(histogram.counts[63] == 1)
    #expect(histogram.count == 101)
  }

  @Test("events are reported in order, with load times by the clock")
  func events() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(100)))
    var events = world.cache.events.filter { $0.tier == "loading" }.makeAsyncIterator()
    let time = world.time
    world.source.answers { _ in
      time.advance(by: .milliseconds(400))
      return .value(1)
    }
    _ = try await world.cache.object(forKey: "a")
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(11))
    world.source.fails()
    _ = try await world.cache.object(forKey: "a")
    var names: [String] = []
    for _ in 0..<6 {
      guard let event = await events.next() else { break }
      #expect(event.key == "a")
      #expect("\(event)" == "loading a: \(event.kind)")
      switch event.kind {
      case .miss: names.append("miss")
      case .hit: names.append("hit")
      case .loaded(let time, let place):
        #expect(time == .milliseconds(400))
        names.append("loaded \(place)")
      case .failed(let error, _, let place):
        #expect(error is Source.Down)
        names.append("failed \(place)")
      case .servedStale: names.append("stale")
      default: names.append("\(event.kind)")
      }
    }
    #expect(names == ["miss", "loaded foreground", "hit", "miss", "failed foreground", "stale"])
    #expect(world.cache.statistics.loadTimes.total == .milliseconds(400))
  }

  @Test("a kind of event is one line of text: its name, its time and its error")
  func kindText() {
    let kinds: [(LoadEvent<String>.Kind, String)] = [
      (.hit, "hit"), (.servedStale, "served stale"),
      (.loaded(.milliseconds(400), .foreground), "loaded in 400.0 ms"),
      (.loaded(.microseconds(17), .background), "loaded in 0.017 ms, in the background"),
      (.failed(Source.Down(), .seconds(2.5), .foreground), "failed after 2.5 s: Down()"),
      (.timedOut(.soft), "timed out (soft)"), (.storeFailed(Source.Down()), "store failed: Down()"),
      (.leaseAwaited(.seconds(1)), "lease awaited for 1.0 s"),
    ]
    for (kind, text) in kinds { #expect("\(kind)" == text) }
  }

  @Test("the OpenMetrics text has every metric once, and no key")
  func openMetrics() async throws {
    let world = World()
    _ = try await world.cache.object(forKey: "a secret key")
    _ = try await world.cache.object(forKey: "a secret key")
    let text = world.cache.statistics.openMetrics(store: "us\"ers")
    let lines = text.split(separator: "\n")
    #expect(lines.contains("strata_reads_total{store=\"us\\\"ers\",found=\"fresh\"} 1"))
    #expect(lines.contains("strata_reads_total{store=\"us\\\"ers\",found=\"nothing\"} 1"))
    #expect(lines.contains("strata_loads_total{store=\"us\\\"ers\",end=\"loaded\"} 1"))
    #expect(lines.contains("strata_load_seconds_count{store=\"us\\\"ers\"} 1"))
    #expect(lines.last == "# EOF")
    #expect(!text.contains("secret"))
    let samples = lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").first }
    #expect(Set(samples).count == samples.count)
    #expect(lines.count { $0.hasPrefix("# TYPE") } == 10)
  }
}
