import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store, or a page of metrics, that `top` reads again and again.
struct Observed: Sendable {
  /// The changes of one tier since the last reading.
  struct Row: Sendable {
    let store: String
    let tier: String
    var rates: TierRates?
    /// The error, if nothing could be read.
    var failure: Failure?
    /// The time of the first failure after the last reading that succeeded.
    var since: Date?
  }

  private typealias Tiers = [(tier: MetricsPage.Tier, figures: TierFigures)]

  private let address: String
  /// The page at the address, or `nil` for a store.
  private let page: MetricsPage?
  private var probe: Probe
  private var census = KeyCensus()
  private let countsByRequests: Bool
  /// The figures of the last reading, and its time in seconds.
  private var before: (tiers: [MetricsPage.Tier: TierFigures], seconds: Double)?
  private var since: Date?

  init(_ address: String, _ context: Context, limit: Double) throws {
    self.address = address
    page = MetricsPage.hasAddress(address) ? try MetricsPage(address, limit: limit) : nil
    probe = Probe(address, context, limit: limit)
    countsByRequests = context.invocation.has("entries")
  }

  /// Opens the store. Throws if the address is wrong.
  mutating func open() throws { if page == nil { try probe.open() } }

  /// Reads the figures, and returns their changes; one row with the error if there are none.
  mutating func read() async throws -> [Row] {
    let tiers: Tiers
    do {
      if let page { tiers = try await page.read() } else { tiers = [try await readStore()] }
      since = nil
    } catch let error as Interrupted {
      throw error
    } catch {
      since = since ?? Timestamp.now
      return [Row(store: address, tier: probe.store?.kind ?? "-", failure: Failure(error), since: since)]
    }
    let now = Context.seconds()
    defer {
      before = (Dictionary(tiers.map { ($0.tier, $0.figures) }, uniquingKeysWith: { $1 }), now)
    }
    return tiers.map { tier, figures in
      let rates = TierRates(
        figures, since: before?.tiers[tier], seconds: max(now - (before?.seconds ?? 0), 1e-9))
      return Row(store: tier.store, tier: tier.tier, rates: rates)
    }
  }

  private mutating func readStore() async throws -> (tier: MetricsPage.Tier, figures: TierFigures) {
    var times: [Double: Int] = [:]
    let end = Context.seconds() + 0.1
    repeat {
      let answer = await probe.ask()
      if let failure = answer.failure { throw failure }
      times[answer.seconds, default: 0] += 1
      // Each request to S3 costs money.
    } while probe.store?.kind != "s3" && times.count < 10 && Context.seconds() < end
    guard let store = probe.store else { throw CancellationError() }
    var figures = try await store.figures?() ?? TierFigures()
    if store.figures == nil, store.path != nil || countsByRequests {
      figures.entries = try await census.count(of: store)
    }
    if let usage = store.usage { figures.size = usage.bytes }
    (figures.times, figures.hasNewTimes) = (times, true)
    return (MetricsPage.Tier(store: address, tier: store.kind), figures)
  }
}

/// Counts the keys of a store again and again, in a tenth of the time at most.
private struct KeyCensus {
  private var count = 0
  private var mark: Int?
  private var next = 0.0

  /// Returns the number of keys. Returns the last number if no file has changed since, and after a long count.
  mutating func count(of store: OpenStore) async throws -> Int {
    let start = Context.seconds()
    let now = store.usage?.mark
    if start < next || now != nil && now == mark { return count }
    mark = now
    count = try await Pages.count(of: store)
    next = Context.seconds() + 9 * (Context.seconds() - start)
    return count
  }
}
