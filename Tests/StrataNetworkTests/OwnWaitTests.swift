import Testing

@testable import StrataNetwork

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct OwnWaitTests {
  @Test func callsWaitWhereRepliesComeInTime() {
    var own = OwnWait()
    for _ in 0..<100 {
      let waits = own.begin()
      #expect(waits)
      own.end(inTime: true)
    }
  }

  /// Where replies take longer, ever fewer calls wait, but some always do.
  @Test func callsThatWaitInVainBecomeRare() {
    var own = OwnWait()
    var waited: [Int] = []
    for call in 0..<1000 where own.begin() {
      own.end(inTime: false)
      waited.append(call)
    }
    #expect(waited.prefix(5) == [0, 2, 5, 10, 19])
    #expect(zip(waited, waited.dropFirst()).map { $1 - $0 }.max() == 65)
    // After one success, all calls wait again.
    while !own.begin() {}
    own.end(inTime: true)
    for _ in 0..<10 {
      let waits = own.begin()
      #expect(waits)
      own.end(inTime: true)
    }
  }

  @Test func waitsUntilASocketIsReadable() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(!OwnWait.isReadable(ends[0], within: .microseconds(10)))
    #expect(!OwnWait.isReadable(ends[0], within: .seconds(-1)))
    try #require(write(ends[1], "x", 1) == 1)
    #expect(OwnWait.isReadable(ends[0], within: .seconds(10)))
  }
}
