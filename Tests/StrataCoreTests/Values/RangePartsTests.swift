import StrataCore
import Testing

@Suite("The parts that contain a range") struct RangePartsTests {
  @Test(
    "ranges at and around the ends of parts",
    arguments: [
      (0..<0, 0..<0), (0..<1, 0..<1), (0..<10, 0..<1), (0..<11, 0..<2), (9..<10, 0..<1), (9..<11, 0..<2),
      (10..<10, 1..<1), (10..<20, 1..<2), (25..<39, 2..<4),
    ])
  func parts(range: Range<Int>, expected: Range<Int>) { #expect(range.parts(of: 10) == expected) }

  @Test("the longest range does not overflow")
  func longest() { #expect((0..<Int.max).parts(of: 10).count == Int.max / 10 + 1) }
}
