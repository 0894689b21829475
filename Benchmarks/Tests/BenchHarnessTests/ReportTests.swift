import BenchHarness
import Foundation
import Testing

struct ReportTests {
  @Test(arguments: [
    (Cell.count(0), "0"), (.count(999), "999"), (.count(1_000), "1 000"), (.count(-1_234_567), "−1 234 567"),
    (.measure(3.14159), "3.14"), (.measure(31.4159), "31.4"), (.measure(3141.59), "3 142"),
    (.ratio(1.5), "1.50×"), (.percent(0.39692), "39.69"), (.number(-0.001, decimals: 2, unit: ""), "0.00"),
    (.number(.nan, decimals: 2, unit: "×"), "–"), (.none, "–"), (.text("a"), "a"),
  ])
  func `cells are converted to text`(_ cell: Cell, _ text: String) { #expect(cell.shown == text) }

  @Test func `the Markdown of a table is readable as text`() {
    var table = Table(["name", "ns"])
    table.add([.text("a|b"), .measure(1234)])
    table.add([.text("c"), .none])
    #expect(
      table.markdown == """
        | name |    ns |
        |------|------:|
        | a\\|b | 1 234 |
        | c    |     – |
        """)
  }

  @Test(arguments: [
    ("", ""), ("one", "one"), ("one two", "one two"), ("one two three", "one two\nthree"),
    ("one two\n\nthree four five", "one two\n\nthree four\nfive"),
    ("a muchtoolongword b", "a\nmuchtoolongword\nb"),
    ("ten colum\nn", "ten colum\nn"),
  ])
  func `long lines are broken at spaces`(_ text: String, _ lines: String) {
    #expect(text.wrapped(columns: 10) == lines)
  }

  @Test func `a target states whether it is met`() {
    #expect(Aim.atMost(1.3, 1.3, "a").isMet)
    #expect(!Aim.atMost(1.3, 1.31, "a").isMet)
    #expect(Aim.atLeast(1.7, 1.7, "a").isMet)
    #expect(!Aim.atLeast(1.7, 1.69, "a").isMet)
    #expect(!Aim.atLeast(1.7, .nan, "a").isMet)
    #expect(!Aim.atMost(1.7, .nan, "a").isMet)
  }

  static var report: Report {
    var report = Report("All")
    var table = Table(["name", "ns"])
    table.add([.text("a"), .measure(1.23456)])
    table.add([.text("b"), .measure(.nan)])
    let chart = LineChart("C", x: Axis("x"), y: Axis("y"), series: [.init("s", .plain, [(1, 2), (3, 4)])])
    report.add("Part", "Words.", table: table, plot: Report.Plot("curve", chart))
    report.add(Aim.atMost(2, 3, "fast"))
    return report
  }

  @Test func `a report is a chapter of Markdown`() {
    let text = Self.report.markdown(level: 2, plotsIn: "Plots")
    #expect(text.hasPrefix("## All\n\n### Part\n\nWords.\n\n| name |"))
    #expect(text.contains("\n\n![C](Plots/curve.svg)\n\n"))
    #expect(text.contains("| fast: at most 2.00× | 3.00×    | **missed** |"))
    #expect(!Self.report.markdown().contains("curve.svg"))
  }

  @Test func `JSON has unrounded numbers, a row in each line`() throws {
    let lines = try Self.report.json.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains(#"["a", 1.23456],"#))
    #expect(lines.contains(#"["b", null]"#))
    #expect(lines.contains(#"{"isMet" : false, "measured" : "3.00×", "statement" : "fast: at most 2.00×"}"#))
  }

  @Test func `a report from JSON looks like the one that was encoded`() throws {
    let copy = try JSONDecoder().decode(Report.self, from: Data(Self.report.json.utf8))
    #expect(copy.markdown(plotsIn: "Plots") == Self.report.markdown(plotsIn: "Plots"))
    #expect(try copy.json == Self.report.json)
  }

  @Test func `numbers keep the format of their column`() throws {
    var table = Table(["name", "%", "ratio", "about"])
    table.add([.text("a"), .percent(0.5), .ratio(1.5), .measure(1)])
    table.add([.none, .percent(0.39692), .ratio(150), .measure(100)])
    let copy = try JSONDecoder().decode(Table.self, from: Data(table.json.utf8))
    #expect(copy.markdown == table.markdown)
  }

  @Test func `columns and rows can be selected`() {
    var table = Table(["name", "threads", "ns"])
    table.add([.text("a"), .count(1), .measure(3)])
    table.add([.text("a"), .count(2), .measure(4)])
    table.add([.text("b"), .count(1), .measure(5)])
    let selected = table.selecting(["ns", "name"], where: ["threads": ["1"]])
    #expect(selected.columns == ["ns", "name"])
    #expect(selected.rows == [[.measure(3), .text("a")], [.measure(5), .text("b")]])
  }
}
