#if canImport(Glibc)
  import Glibc
  import StrataSupport
  import TestSupport
  import Testing

  @Suite(.endsInTime) struct FreedMemoryTests {
    @Test("who returns memory all the time spends a tenth of it, however large the heap is")
    func often() {
      // Half of these blocks are free, and between two others, so that each call has to visit them all.
      var blocks = (0..<400_000).map { _ in malloc(2_000) }
      for index in blocks.indices where index.isMultiple(of: 2) {
        free(blocks[index])
        blocks[index] = nil
      }
      defer { for block in blocks { free(block) } }
      let clock = ContinuousClock()
      var calls = 0
      var longest = Duration.zero
      var spent = Duration.zero
      let start = clock.now
      while clock.now - start < .milliseconds(300) {
        let time = clock.measure { FreedMemory.giveBack() }
        longest = max(longest, time)
        spent += time
        calls += 1
      }
      #expect(calls > 1000)
      // All calls but a few return at once: without a limit, each of them would take as long as the longest.
      #expect(spent < longest * (calls / 10), "\(calls) calls took \(spent), the longest \(longest)")
    }

    @Test("the first call returns memory, the next ones only after nine times as long as the last took")
    func pace() {
      var pace = TrimPace()
      let start = ContinuousClock.now
      let end = start + .milliseconds(20)
      let during = [start, start, end].map { pace.begin(at: $0) }
      #expect(during == [true, false, false])
      pace.end(at: end, after: end - start)
      let after = [179, 180].map { pace.begin(at: end + .milliseconds($0)) }
      #expect(after == [false, true])
    }
  }
#endif
