import CommandTable
import Testing

@Suite struct ParsingTests {
  static let table = CommandTable(
    program: "pan", summary: "cook", version: "pan 1",
    commands: [
      Command(
        "fry", "fry food", details: "With oil.\n\nAnd salt.",
        arguments: [Argument("FOOD", "what to fry"), Argument("MORE", "what else", count: .any)],
        options: [
          Option("heat", short: "t", "N", .count, "how hot"),
          Option("oil", "SIZE", .size, "how much oil", environment: "PAN_OIL"),
          Option("for", "TIME", .duration, "how long"), Option("flow", "RATE", .rate, "how fast"),
          Option("herb", short: "b", "NAME", .text, "a herb", repeats: true),
          Option("side", "SIDE", .choice(["one", "both"]), "which side"),
          Option(flag: "lid", short: "l", "cover the pan"), Option(flag: "stir", short: "s", "stir"),
        ]),
      Command("wash", "wash the pan", arguments: [Argument("SOAP", "with what", count: .optional)]),
      Command("hidden", "nothing", isHidden: true),
    ], options: [Option(flag: "quiet", short: "q", "no noise")])

  func parse(_ line: String, _ environment: [String: String] = [:]) throws -> Invocation {
    let words = line.split(separator: " ").map(String.init)
    guard case .run(let invocation) = try Self.table.parse(words, environment: environment) else {
      throw UsageError("it asks for help")
    }
    return invocation
  }

  @Test(arguments: [
    "fry egg --heat 5", "fry egg --heat=5", "fry egg -t5", "fry egg -t 5", "fry egg -t=5", "fry --heat 5 egg",
    "--quiet fry egg -t5", "fry egg --heat 3 --heat 5", "fry egg -t5 --",
  ]) func optionsStandAnywhereInAllForms(_ line: String) throws {
    let invocation = try parse(line)
    #expect(invocation.count("heat") == 5)
    #expect(invocation.argument("FOOD") == "egg")
    #expect(invocation.command.name == "fry")
  }

  @Test func flagsCanBeCombinedAndNegated() throws {
    let both = try parse("fry egg -lst9")
    #expect(both.has("lid") && both.has("stir") && both.count("heat") == 9)
    #expect(try parse("fry egg --lid --no-lid").isSet("lid") == false)
    #expect(try parse("fry egg --no-lid --lid").isSet("lid") == true)
    #expect(try parse("fry egg").isSet("lid") == nil)
  }

  @Test func wordsAfterTwoDashesAreArguments() throws {
    let invocation = try parse("fry -- --heat - -l")
    #expect(invocation.argument("FOOD") == "--heat")
    #expect(invocation.arguments("MORE") == ["-", "-l"])
    #expect(try parse("fry -").argument("FOOD") == "-")
  }

  @Test func valuesHaveUnitsAndRepeat() throws {
    let invocation = try parse(
      "fry egg --oil 1.5kB --for 1.5h --flow 10MB/s -b basil --herb=thyme --side both")
    #expect(invocation.bytes("oil") == 1500)
    #expect(invocation.seconds("for") == 5400)
    #expect(invocation.rate("flow") == 10_000_000)
    #expect(invocation.texts("herb") == ["basil", "thyme"])
    #expect(invocation.text("side") == "both")
  }

  @Test func environmentVariablesReplaceMissingOptions() throws {
    #expect(try parse("fry egg", ["PAN_OIL": "3MiB"]).bytes("oil") == 3 << 20)
    #expect(try parse("fry egg --oil 1", ["PAN_OIL": "3MiB"]).bytes("oil") == 1)
    #expect(try parse("fry egg", ["PAN_OIL": ""]).bytes("oil") == nil)
    #expect(throws: UsageError.self) { try parse("fry egg", ["PAN_OIL": "much"]) }
  }

  @Test(arguments: [
    ("fyr egg", "fry"), ("wahs", "wash"), ("fry egg --haet 5", "--heat"), ("fry egg --lidd", "--lid"),
    ("fry egg --side bothe", "both"),
  ]) func mistypedWordsAreGuessed(_ line: String, _ meant: String) {
    let error = #expect(throws: UsageError.self) { try parse(line) }
    #expect(error?.meant == meant)
    #expect(error?.description.hasSuffix("Did you mean \(meant)?") == true)
  }

  @Test(arguments: [
    "fry", "fry egg --heat", "fry egg --heat much", "fry egg --heat -1", "fry egg --lid=yes", "fry egg -x",
    "wash soap water", "boil", "fry egg --oil 5x", "fry egg --for 5y", "fry egg --flow 0", "--heat 5 fry egg",
    "--quiet",
  ]) func whatIsWrongIsRefused(_ line: String) {
    #expect(throws: UsageError.self) { try parse(line) }
  }

  @Test func helpAndVersionNeedNoArguments() throws {
    guard case .help(let command) = try Self.table.parse(["fry", "--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(command?.name == "fry")
    guard case .help(nil) = try Self.table.parse([]), case .help(nil) = try Self.table.parse(["-h"]),
      case .version = try Self.table.parse(["--version"])
    else {
      Issue.record("no help or version of the program")
      return
    }
  }
}
