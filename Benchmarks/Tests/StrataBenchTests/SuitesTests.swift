import BenchHarness
import Foundation
import Testing

@testable import strata_bench

/// A suite that no test runs can end the program: by a row without a cell for each column, or by two columns with one
/// name. The suites that need a server, a trace or another program are not run here.
struct SuitesTests {
  @Test(arguments: [
    ["chain"], ["codec", "--records", "200"], ["backends"], ["secrets"], ["streams"],
    ["scaling", "--keys", "500"],
    ["memory", "--only", "hot,stalls"], ["threads"],
  ])
  func `a suite does a small part of its work, and reports it`(_ words: [String]) throws {
    let suite = try #require(StrataBench.suites.first { $0.name == words[0] })
    let options = suite.options + suite.commonOptions
    let report = try suite.run(Arguments(words.dropFirst() + ["--quick"], options: options))
    let tables = report.sections.compactMap(\.table)
    #expect(!tables.isEmpty)
    for table in tables { #expect(!table.rows.isEmpty, "\(table.columns)") }
    #expect(report.markdown().contains(report.title))
    #expect(try !report.json.isEmpty)
  }
}
