import Foundation
import Testing

@testable import StrataCommand

/// Copies values that are larger than a part.
@Suite struct LargeCopyTests {
  @Test(arguments: [(Backend.disk, Backend.files), (.files, .disk), (.disk, .sqlite), (.sqlite, .disk)])
  func largeValuesAreCopied(_ source: Backend, _ target: Backend) async throws {
    try await inFolder { strata in
      let (from, to) = (try source.address("from", in: strata), try target.address("to", in: strata))
      let lines = (0..<40).map { #"{"key":"small \#($0)","expires":null,"value":{"text":"\#($0)"}}"# }
      #expect(try strata("load", from, input: lines.joined(separator: "\n")).status == 0)
      for number in 0..<3 {
        let value = Large.bytes((2 << 20) + number, UInt64(number))
        #expect(
          try strata.run(["put", from, "large \(number)", "--at", "2040-01-0\(number + 1)"], input: value)
            .status == 0)
      }
      let planned = try strata("copy", from, to, "--dry-run")
      #expect(planned.output.hasPrefix("would copy 43 entries, 6.3 MB"), "\(planned)")
      let copied = try strata("copy", from, to)
      #expect(copied.output.hasPrefix("copied 43 entries, 6.3 MB"), "\(copied)")
      #expect(try strata("diff", from, to).status == 0)
      let again = try strata("copy", from, to)
      #expect(
        again.output.hasPrefix("copied 0 entries, 0 B") && again.output.hasSuffix("43 were there already\n"))
      // Only the last byte, or the expiry, differs.
      var changed = Large.bytes((2 << 20) + 1, 1)
      changed[changed.count - 1] ^= 1
      #expect(try strata.run(["put", to, "large 1", "--at", "2040-01-02"], input: changed).status == 0)
      #expect(try strata("expire", to, "large 2", "--never").status == 0)
      let repaired = try strata("copy", from, to)
      #expect(repaired.output.hasPrefix("copied 2 entries, 4.2 MB"), "\(repaired)")
      #expect(try strata("diff", from, to).status == 0)
    }
  }

  @Test func anInterruptedCopyOfALargeValueLeavesTheOldOne() async throws {
    try await inFolder { strata in
      #expect(try strata.run(["put", "disk:a", "large"], input: Large.value).status == 0)
      #expect(try strata("put", "disk:b", "large", input: "old").status == 0)
      let terminal = try PseudoTerminal(strata, ["copy", "disk:a", "disk:b", "--rate", "1MB/s"])
      // A line of progress appears after half a second.
      #expect(terminal.wait(for: " entries, "), "\(terminal.screen)")
      terminal.interrupt()
      let end = terminal.finish()
      if try Large.keepsParts("disk:a", in: strata) {
        #expect(end.status == 130)
        #expect(end.screen.contains("interrupted: copied 0 entries, 0 B; run the same"), "\(end.screen)")
        #expect(try strata("get", "disk:b", "large").output == "old")
        #expect(Paths.usage(strata.place.appending(path: "b").path).bytes < 1 << 20)
      }
      #expect(try strata("copy", "disk:a", "disk:b").status == 0)
      #expect(try strata("cat", "disk:b", "large").bytes == Large.value)
    }
  }
}
