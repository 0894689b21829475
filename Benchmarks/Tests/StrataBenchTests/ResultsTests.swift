import BenchHarness
import Foundation
import Testing

@testable import strata_bench

/// The results of the repository: `make bench` writes the data and the page, and nobody edits either.
struct ResultsTests {
  static let folder = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  static var results: Results {
    get throws { try Results(contentsOf: folder.appending(path: "Results.json").path) }
  }

  @Test func `the page is what the data gives`() throws {
    let page = try String(contentsOf: Self.folder.appending(path: "Results.md"), encoding: .utf8)
    #expect(
      try Self.results.page == page,
      "strata-bench results --data Benchmarks/Results.json > Benchmarks/Results.md")
    #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 280)
  }

  @Test func `the data is what the suites write`() throws {
    let data = try String(contentsOf: Self.folder.appending(path: "Results.json"), encoding: .utf8)
    #expect(try Self.results.json + "\n" == data)
  }

  @Test func `each question of the page has its table`() throws {
    let results = try Self.results
    for question in Results.questions {
      let section = results.reports.first { $0.title == question.report }?.sections
        .first { $0.title == question.section }
      let table = try #require(section?.table, "\(question.title)")
      #expect(table.selecting(question.columns, where: question.rows).columns == question.columns)
      for (column, texts) in question.rows {
        let shown = table.selecting([column]).rows.map { $0[0].shown }
        #expect(Set(texts).isSubset(of: shown), "\(question.title): \(column)")
      }
    }
  }

  @Test func `results that are missing are named`() throws {
    var results = Results(isQuick: true)
    results.omitted = ["Hit ratio: no traces were given."]
    #expect(results.page.contains("A quick run"))
    #expect(results.page.contains("\n\nHit ratio: no traces were given.\n"))
    #expect(!results.page.contains("##"))
  }

  @Test func `all tables of a suite can be printed`() throws {
    let data = Self.folder.appending(path: "Results.json").path
    let error = #expect(throws: UsageError.self) {
      try StrataBench.run(["results", "--data", data, "--suite", "nonsense"])
    }
    #expect(error?.description.contains("no suite nonsense") == true)
    #expect(error?.description.contains("Chain, Codec") == true)
    try StrataBench.run(["results", "--data", data, "--suite", "S3"])
  }
}
