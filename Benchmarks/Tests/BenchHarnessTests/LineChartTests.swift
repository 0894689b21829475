import BenchHarness
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct LineChartTests {
  /// Returns the elements that an XML parser finds in a chart; throws if it is not well-formed.
  static func parsed(_ chart: LineChart) throws -> Elements {
    let elements = Elements()
    let parser = XMLParser(data: Data(chart.svg.utf8))
    parser.delegate = elements
    if !parser.parse() { throw parser.parserError ?? CocoaError(.formatting) }
    return elements
  }

  final class Elements: NSObject, XMLParserDelegate {
    var names: [String] = []
    var texts: [String] = []
    var numbers: [Double] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      names.append(name)
      if name == "text" { texts.append("") }
      for key in ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy"] {
        if let text = attributes[key] { numbers.append(Double(text) ?? .nan) }
      }
      for text in attributes["points"]?.split(whereSeparator: { $0 == " " || $0 == "," }) ?? [] {
        numbers.append(Double(text) ?? .nan)
      }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if names.last == "text", !texts.isEmpty { texts[texts.count - 1] += text }
    }
  }

  @Test func `a chart is well-formed XML and contains all names`() throws {
    let chart = LineChart(
      "Hits & <misses>", subtitle: "of \"all\"", x: Axis("size", isLogarithmic: true), y: Axis("hits, %"),
      series: [
        .init("Strata", .strong, [(10, 1), (100, 40), (1000, 80)]),
        .init("LRU", .plain, [(10, 1), (1000, 70)]),
        .init("OPT", .dashed, [(10, 5), (1000, 82)]), .init("Caffeine", .points, [(100, 42)]),
        .init("others", .faintPoints, [(100, 30), (100, 31)]),
      ], notes: [.init(x: 100, y: 40, "half")])
    let elements = try Self.parsed(chart)
    let words = Set(elements.texts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) })
    #expect(
      words.isSuperset(of: ["Hits & <misses>", "size", "hits, %", "Strata", "LRU", "OPT", "Caffeine", "half"])
    )
    #expect(words.isSuperset(of: ["10", "100", "1 k", "0", "80"]), "the axes are labelled")
    #expect(
      elements.names.count { $0 == "polyline" } == 6, "a line and its sign in the legend for three series")
    #expect(elements.numbers.allSatisfy { (0...880).contains($0) }, "nothing is outside the picture")
  }

  @Test(arguments: [[], [(1.0, 5.0)], [(0, 0), (0, 0)], [(3, 1e-6), (4, 2e-6)], [(1, -3), (2, 4)]])
  func `all elements lie inside the picture`(_ points: [(Double, Double)]) throws {
    for isLogarithmic in [false, true] {
      let chart = LineChart(
        "t", x: Axis("x", isLogarithmic: isLogarithmic), y: Axis("y"),
        series: [.init("s", .plain, points.map { (x: $0.0, y: $0.1) })])
      #expect(try Self.parsed(chart).numbers.allSatisfy { (0...880).contains($0) })
    }
  }

  @Test func `a long name fits`() throws {
    let name = String(repeating: "long ", count: 20)
    let svg = LineChart("t", x: Axis("x"), y: Axis("y"), series: [.init(name, .strong, [(0, 0), (1, 1)])]).svg
    let width = try svg.firstMatch(of: Regex("width=\"([0-9]+)\""))?.output[1].substring.flatMap {
      Double($0)
    }
    #expect(try #require(width) > 746 + 100 * 7)
  }

  @Test func `the names of lines with the same end do not overlap`() throws {
    let series = (0..<6).map { LineChart.Series("s\($0)", .plain, [(0, 0), (10, 10)]) }
    let svg = LineChart("t", x: Axis("x"), y: Axis("y"), series: series).svg
    let heights = try series.map { series in
      let match = try svg.firstMatch(of: Regex("y=\"([0-9.]+)\"[^>]*>\(series.name)<"))
      return try #require(match?.output[1].substring.flatMap { Double($0) })
    }
    #expect(heights.allSatisfy { $0 > 90 }, "nor above the chart")
    for (one, next) in zip(heights.sorted(), heights.sorted().dropFirst()) { #expect(next - one >= 15) }
  }

  @Test(arguments: [
    (0.0, "0"), (0.5, "0.5"), (20, "20"), (1000, "1 k"), (1500, "1.5 k"), (2e6, "2 M"), (3e9, "3 G"),
  ])
  func `values have short labels`(_ value: Double, _ label: String) { #expect(Axis.label(value) == label) }
}
