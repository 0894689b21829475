import BenchHarness
import BenchTraces
import Foundation

/// The hit ratio of `MemoryStorage` on traces of real programs.
enum HitRatioSuite: Suite {
  static let name = "hitratio"
  static let summary = "the hit ratio of MemoryStorage over real traces, beside other policies"
  static let options = [
    Option("trace", value: "FILE", help: "a trace: one key per line, also compressed by gzip"),
    Option(
      "traces", value: "FOLDER", help: "a folder of traces, and hitratios.tsv with other policies' ratios"),
    Option("sizes", value: "LIST", help: "sizes for --trace: entries, or shares of all keys (1%,5%,20%)"),
    Option("reference", value: "FILE", help: "hit ratios of other policies, for --trace; see README.md"),
  ]

  static func run(_ arguments: Arguments) throws -> Report {
    switch (arguments.value("trace"), arguments.value("traces")) {
    case (let path?, nil):
      let reference = try arguments.value("reference").map { try ReferenceTable(path: $0) }
      return try TraceRatios(
        trace: Trace(path: path), sizes: arguments.value("sizes") ?? "1%,5%,20%", reference: reference
      ).report(withPlot: arguments.value("plots") != nil)
    case (nil, let folder?):
      guard arguments.value("sizes") == nil, arguments.value("reference") == nil else {
        throw UsageError(
          "with --traces the sizes are read from hitratios.tsv; give --sizes only with --trace")
      }
      return try ReferenceRatios(folder: URL(filePath: folder)).report(
        withPlots: arguments.value("plots") != nil, isQuick: arguments.has("quick"))
    default:
      throw UsageError("give either --trace FILE or --traces FOLDER")
    }
  }
}
