import BenchHarness
import BenchTraces
import Testing

@testable import strata_bench

struct CommandsTests {
  @Test(arguments: [
    (["nonsense"], "no suite nonsense"), (["memory", "--only", "hot,nonsense"], "no part nonsense"),
    (["memory", "--trace", "x"], "no option --trace"), (["hitratio"], "--trace FILE or --traces FOLDER"),
    (["hitratio", "--trace", "a", "--traces", "b"], "either"),
    (["hitratio", "--traces", "b", "--sizes", "1%"], "give --sizes only with --trace"),
    (["simulate"], "--trace is missing"), (["all"], "--output is missing"),
    (["all", "--output", "x.txt"], "must end in .md"),
    (["results"], "--data is missing"),
    (["footprint-probe", "x"], "only by this program itself"),
  ])
  func `bad input gets a clear error`(_ words: [String], _ reason: String) {
    let error = #expect(throws: UsageError.self) { try StrataBench.run(words) }
    #expect(error?.description.contains(reason) == true)
  }

  @Test(arguments: ["hitratio", "simulate"]) func `the error for a missing trace names it`(_ suite: String) {
    let error = #expect(throws: TraceError.self) { try StrataBench.run([suite, "--trace", "/no/such/file"]) }
    #expect(error?.description.contains("/no/such/file") == true)
  }

  @Test func `the names of suites differ`() {
    let names = StrataBench.suites.map { $0.name } + [AllSuites.name, Results.name]
    #expect(Set(names).count == names.count)
  }
}
