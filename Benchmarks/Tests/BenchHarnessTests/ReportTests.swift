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

  @Test func `JSON has unrounded numbers`() throws {
    struct Copy: Decodable {
      struct Section: Decodable {
        struct Row: Decodable {
          let name: String
          let ns: Double?
        }
        let table: [Row]
        let plot: [String: [[Double]]]
      }
      struct Aim: Decodable { let isMet: Bool }
      let sections: [Section]
      let aims: [Aim]
    }
    let copy = try JSONDecoder().decode(Copy.self, from: Data(Self.report.json.utf8))
    #expect(copy.sections[0].table.map(\.name) == ["a", "b"])
    #expect(copy.sections[0].table.map(\.ns) == [1.23456, nil])
    #expect(copy.sections[0].plot == ["s": [[1, 2], [3, 4]]])
    #expect(copy.aims.map(\.isMet) == [false])
  }
}
