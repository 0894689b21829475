import Foundation
import Strata
import StrataCore
import TestSupport
import Testing

@testable import StrataLoading

/// The dashboard for Grafana asks for what the pages for Prometheus contain.
@Suite("Dashboard", .timeLimit(.minutes(5)))
struct DashboardTests {
  /// The page of a loading store over a chain in which a value of every kind is known.
  private func page() async throws -> String {
    let chain = MemoryStorage<String, Cached<Int>>().combined(with: BatchStore())
    let loading = chain.loading(value: { _ in 1 })
    _ = try await loading.object(forKey: "a")
    return StorageStatistics(of: loading).openMetrics(store: "users", isEnded: false)
      + loading.statistics.openMetrics(store: "users")
  }

  private func dashboard() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      decoding: Data(contentsOf: root.appending(path: "Documentation/Dashboards/strata.json")), as: UTF8.self)
  }

  @Test("each metric of the dashboard is one of the pages, with the labels by which it is selected")
  func names() async throws {
    let lines = try await page().split(separator: "\n")
    let known = Dictionary(grouping: lines.filter { !$0.hasPrefix("#") }) { $0.prefix { $0 != "{" } }
    let dashboard = try dashboard().replacing(#"\""#, with: "\"")
    var asked: Set<Substring> = []
    for match in dashboard.matches(of: /(strata_[a-z_]+)\{([^}]*)\}/) {
      asked.insert(match.1)
      let samples = try #require(known[match.1], "\(match.1) is on no page")
      for label in match.2.matches(of: /(?:^|,)([a-z]+)(!?=~?)"([^"]*)"/) {
        let isThere = samples.contains {
          $0.contains(label.2 == "=" ? "\(label.1)=\"\(label.3)\"" : "\(label.1)=\"")
        }
        #expect(isThere, "\(match.1) has no label \(label.0)")
      }
    }
    let families = lines.compactMap { $0.wholeMatch(of: /# TYPE (strata_[a-z_]+) .*/)?.1 }
    #expect(families.count > 15)
    for family in families { #expect(asked.contains { $0.hasPrefix(family) }, "no panel shows \(family)") }
  }

  @Test(
    "it is a dashboard of Grafana's model: panels in a grid, without overlaps, each query with its source")
  func model() throws {
    struct Dashboard: Decodable {
      struct Panel: Decodable {
        struct Place: Decodable { let x, y, w, h: Int }
        struct Source: Decodable { let type, uid: String }
        struct Target: Decodable {
          let refId, expr: String
          let datasource: Source
        }
        let id: Int
        let type, title: String
        let gridPos: Place
        let targets: [Target]?
      }
      let uid, title: String
      let schemaVersion: Int
      let panels: [Panel]
    }
    let dashboard = try JSONDecoder().decode(Dashboard.self, from: Data(dashboard().utf8))
    #expect(Set(dashboard.panels.map(\.id)).count == dashboard.panels.count)
    var taken: Set<[Int]> = []
    for panel in dashboard.panels {
      #expect((panel.type == "row") == (panel.targets == nil), "\(panel.title)")
      #expect(panel.gridPos.x + panel.gridPos.w <= 24)
      for target in panel.targets ?? [] { #expect(target.datasource.uid == "${datasource}") }
      for x in panel.gridPos.x..<(panel.gridPos.x + panel.gridPos.w) {
        for y in panel.gridPos.y..<(panel.gridPos.y + panel.gridPos.h) {
          #expect(taken.insert([x, y]).inserted, "\(panel.title) covers another panel")
        }
      }
    }
  }
}
