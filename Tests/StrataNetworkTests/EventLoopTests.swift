import StrataCore
import StrataTestKit
import Testing

@testable import StrataNetwork

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct EventLoopTests {
  private final class Client: LoopClient {
    let events = Shared(0)
    func socketIsReady(_ readiness: Readiness) { events.change { $0 += 1 } }
    func flush() {}
  }

  /// A library may read only a part of the received bytes, and must then be called again for the rest.
  @Test(.timeLimit(.minutes(1))) func theSocketOfALibraryIsReportedWhileItIsReady() async throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let client = Client()
    let token = EventLoop.shared.makeToken(for: client)
    EventLoop.shared.watch(ends[0], for: .readable, as: token)
    try #require(write(ends[1], "x", 1) == 1)
    while client.events.value < 3 { await Task.yield() }
    // Watched for nothing, it is not reported.
    EventLoop.shared.watch(ends[0], for: [], as: token)
    await turn()
    let count = client.events.value
    await turn()
    #expect(client.events.value == count)
    EventLoop.shared.remove(token)
    for end in ends { close(end) }
  }

  /// Waits until the loop has waited for events once more.
  private func turn() async {
    for _ in 0..<2 {
      await withCheckedContinuation { continuation in
        EventLoop.shared.execute { continuation.resume() }
      }
    }
  }
}
