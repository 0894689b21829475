import Foundation
import Strata
import Synchronization
import Testing

@testable import StrataCommand

/// Tests `top` with real stores and servers, and with pages of metrics made by real stores.
@Suite struct TopTests {
  /// A page of the metrics of a store. Each request first reads and writes the store.
  private func page(_ strata: Strata) throws -> TestSocket {
    let socket = try TestSocket(isListening: true)
    let store = Storage<String, Int>(
      front: MemoryStorage(),
      back: try DiskStorage(config: DiskConfig(name: "users", directory: strata.place)),
      transformer: .codable(Int.self))
    socket.serve {
      do {
        for number in 0..<100 { try store.setObject(number, forKey: "\(number % 10)") }
        for number in 0..<400 { _ = try store.objectIfPresent(forKey: number % 4 == 0 ? "none" : "1") }
        try store.removeObject(forKey: "0")
        return store.statistics.openMetrics(store: "users")
      } catch { return "\(error)" }
    }
    return socket
  }

  @Test func aPageOfMetricsHasTheRatesOfEachTier() async throws {
    try await inFolder { strata in
      let page = try page(strata)
      let result = try strata(
        "top", "http://127.0.0.1:\(page.port)/metrics", "-c", "2", "-i", "1ms", "--jsonl")
      #expect(result.status == 0, "\(result.errors)")
      let rows = try result.lines.map { try JSON(json: Data($0.utf8)) }
      try #require(
        rows.map { $0["tier"] } == [.text("memory"), .text("disk"), .text("memory"), .text("disk")])
      #expect(rows[3]["hitPercentage"]?.double == 0 && rows[3]["p99Milliseconds"]?.double ?? 0 > 0)
      for row in [rows[0], rows[2]] {
        #expect(row["store"] == .text("users") && row["error"] == .null)
        #expect(row["hitPercentage"]?.double == 75, "\(row)")
        #expect(row["entries"]?.double == 9, "\(row)")
        let (reads, writes) = (row["readsPerSecond"]?.double ?? 0, row["writesPerSecond"]?.double ?? 1)
        #expect(abs(reads / writes - 4) < 0.001, "\(row)")
        #expect(abs((row["removedPerSecond"]?.double ?? 0) / writes - 0.01) < 0.001, "\(row)")
        #expect(row["failedPerSecond"]?.double == 0)
      }
    }
  }

  @Test(arguments: [true, false]) func quantilesAreThoseOfTheLoads(areTiersShown: Bool) async throws {
    let store = MemoryStorage<Int, Int>().loading { request in .value(request.key) }
    let name = #"a "quoted" \ name"# + "\n"
    func read() throws -> (figures: TierFigures, times: [Int]) {
      let (loads, all) = (store.statistics, StorageStatistics(of: store))
      let text =
        loads.openMetrics(store: name, isEnded: !areTiersShown)
        + (areTiersShown ? all.openMetrics(store: name) : "")
      let tiers = try MetricsPage.tiers(in: text)
      #expect(tiers.map(\.tier.tier) == (areTiersShown ? ["loading", "memory"] : ["loading"]))
      #expect(Set(tiers.map(\.tier.store)) == [name])
      return (tiers[0].figures, (areTiersShown ? all.tiers[0].readTimes : loads.loadTimes).counts)
    }
    for key in 0..<20 { _ = try await store.object(forKey: key) }
    let before = try read()
    for key in 0..<300 { _ = try await store.object(forKey: key) }
    let after = try read()
    let rates = TierRates(after.figures, since: before.figures, seconds: 2)
    let new = zip(after.times, before.times).map { $0 - $1 }
    // Each new duration, as the limit of its class. The text has every other class.
    let limits = new.indices.flatMap { index in
      Array(repeating: DurationHistogram.limit(of: index + index % 2) / .seconds(1), count: new[index])
    }
    for part in [0.01, 0.5, 0.99, 1] {
      let rank = Int((part * Double(limits.count)).rounded(.up))
      #expect(rates.quantile(part) == limits[rank - 1], "\(part)")
    }
    #expect(rates.rate(.reads) == 150 && rates.rate(.misses) == 140 && rates.rate(.failures) == 0)
    #expect(TierRates(before.figures, since: nil, seconds: 2).quantile(0.5) == nil)
    // A program that has started again counts from zero.
    let again = TierRates(before.figures, since: after.figures, seconds: 2)
    #expect(again.rate(.misses) == 10 && again.quantile(0.5) != nil)
  }

  @Test func aPageOfOtherProgramsHasNoFigures() async throws {
    try await inFolder { strata in
      let socket = try TestSocket(isListening: true)
      let pages = Mutex(["# TYPE other counter\nother_total 1\n", "strata_tier_writes_total{store=\"a\" 1\n"])
      socket.serve { pages.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
      let address = "http://127.0.0.1:\(socket.port)"
      for part in ["the page has no figures of a store", "is not OpenMetrics", "answered with status 503"] {
        let result = try strata("top", address, "-c", "1")
        #expect(result.status == 1 && result.errors.contains(part), "\(result)")
      }
    }
  }

  @Test func aServerThatDoesNotAnswerAtFirstIsAFailure() async throws {
    try await inFolder { strata in
      let (closed, hanging) = (try TestSocket(), try TestSocket(isListening: true))
      for address in ["http://127.0.0.1:PORT/metrics", "redis://127.0.0.1:PORT?namespace=n"] {
        for port in [closed.port, hanging.port] {
          let store = address.replacing("PORT", with: "\(port)")
          let result = try strata("top", store, "-c", "1", "--timeout", "200ms")
          #expect([1, 5].contains(result.status) && result.output == "", "\(store) \(result)")
        }
      }
      for address in ["what:x", "http://", "http://a:b@localhost/metrics", "redis://127.0.0.1"] {
        #expect(try strata("top", address, "-c", "1").status == 2, "\(address)")
      }
      #expect(try strata("top", "disk:s", "--json").status == 2)
      #expect(try strata("top", "disk:none", "-c", "1").status == 3)
    }
  }

  @Test func storesHaveEntriesSizesAndTheFiguresOfTheirServer() async throws {
    try await inFolder { strata in
      let strata = Backend.postgres.prepared(strata)
      let stores = try [Backend.disk, .sqlite, .lmdb, .rocksdb, .redis, .postgres].map {
        try $0.address("store", in: strata)
      }
      for store in stores {
        for key in ["a", "b"] { #expect(try strata("put", store, key, input: "1").status == 0) }
      }
      let closed = "redis://127.0.0.1:\(try TestSocket().port)?namespace=n"
      let words = ["top", "-c", "1", "-i", "1ms", "--timeout", "15s"] + stores + [closed]
      let result = try strata.run(words)
      #expect(result.status == 0, "\(result.errors)")
      let table = result.lines.map { $0.split(separator: "\t").map(String.init) }
      let titles = try #require(table.first)
      #expect(
        table.count == stores.count + 2 && table.allSatisfy { $0.count == titles.count }, "\(result.output)")
      func cell(_ row: Int, _ title: String) -> String {
        titles.firstIndex(of: title).map { table[row][$0] } ?? ""
      }
      for row in 1...4 {
        #expect(cell(row, "entries") == "2" && cell(row, "reads/s") == "-", "\(table[row])")
      }
      for row in 1...6 {
        #expect(Int(cell(row, "size")) ?? 0 > 0 && Double(cell(row, "p99")) ?? 0 > 0, "\(table[row])")
        #expect(cell(row, "error") == "-")
      }
      // The tests share the server.
      #expect(Int(cell(5, "entries")) ?? 0 >= 2 && Double(cell(5, "ops/s")) ?? 0 > 0)
      #expect(cell(6, "writes/s") != "-")
      #expect(cell(7, "store") == closed && cell(7, "error").hasPrefix("no server listens"))
    }
  }

  @Test func aTableIsRedrawnUntilAKeyEndsIt() async throws {
    try await inFolder { strata in
      #expect(try strata("put", "disk:s", "a", input: "1").status == 0)
      let page = try page(strata)
      let command = "strata top disk:s http://127.0.0.1:\(page.port)/metrics -i 10ms; echo ended $?; stty -a"
      for (key, end) in [("q", "ended 0"), ("\u{3}", "ended 130")] {
        let terminal = try PseudoTerminal(strata, program: "/bin/bash", ["-c", command])
        // The first table is replaced by one with rates.
        #expect(terminal.wait(for: "store") && terminal.wait(for: "\u{1B}[4A"), "\(terminal.screen)")
        #expect(terminal.wait(for: "hit %") && terminal.wait(for: "75.0"), "\(terminal.screen)")
        try terminal.type(key)
        #expect(terminal.wait(for: end), "\(terminal.screen)")
        let screen = terminal.finish().screen
        #expect(screen.contains(" icanon") && screen.contains(" echo ") && !screen.contains("-icanon"))
        // No line is longer than the terminal is wide.
        for line in screen.split(separator: "\r\n") where line.hasPrefix("users") {
          #expect(line.count <= 103)
        }
      }
    }
  }
}
