import BenchHarness
import Testing

struct ArgumentsTests {
  static let options = [
    Option("trace", value: "FILE", help: ""), Option("rounds", value: "N", help: ""),
    Option("json", help: ""),
  ]

  func parse(_ words: String...) throws -> Arguments { try Arguments(words, options: Self.options) }

  @Test func `a value follows its option as a word or after an equals sign`() throws {
    let arguments = try parse("--trace", "a b.txt", "--rounds=5", "--json")
    #expect(arguments.value("trace") == "a b.txt")
    #expect(try arguments.required("trace") == "a b.txt")
    #expect(try arguments.count("rounds") == 5)
    #expect(arguments.has("json"))
  }

  @Test func `an option that is not given is absent`() throws {
    let arguments = try parse()
    #expect(arguments.value("trace") == nil)
    #expect(try arguments.count("rounds") == nil)
    #expect(!arguments.has("json"))
    #expect(throws: UsageError("--trace is missing")) { try arguments.required("trace") }
  }

  @Test func `an equals sign in a value is kept`() throws {
    #expect(try parse("--trace=a=b").value("trace") == "a=b")
  }

  @Test(arguments: [
    (["--nothing"], "--nothing"), (["trace"], "trace is not an option"), (["--trace"], "needs a value: FILE"),
    (["--trace", "--json"], "needs a value: FILE"), (["--json=1"], "takes no value"),
    (["--json", "--json"], "twice"), (["--rounds=1", "--rounds", "2"], "twice"),
  ])
  func `bad input gets a clear error`(_ words: [String], _ reason: String) {
    let error = #expect(throws: UsageError.self) { try Arguments(words, options: Self.options) }
    #expect(error?.description.contains(reason) == true)
  }

  @Test(arguments: ["0", "-1", "many", "1.5", ""])
  func `a count must be above zero`(_ text: String) throws {
    let arguments = try parse("--rounds=\(text)")
    #expect(throws: UsageError.self) { try arguments.count("rounds") }
  }
}
