import StrataObservation
import TestSupport
import Testing

/// Changes of other processes arrive by the invalidation source of the store.
@Suite("A stored value follows other processes", .endsInTime)
@MainActor
struct SharedStoreTests {
  private let server = AnnouncingServer<String>()

  @Test("a change that is announced reaches it")
  func announced() async throws {
    let (mine, other) = (AnnouncingStorage(server), AnnouncingStorage(server))
    try blocking { try other.setObject("Ada", forKey: "a") }
    let name = StoredValue(mine, forKey: "a")
    await until { name.value == "Ada" }
    try blocking { try other.setObject("Eve", forKey: "b") }
    try blocking { try other.setObject("Grace", forKey: "a") }
    #expect(name.value == "Ada")
    mine.deliverAll()
    await until { name.value == "Grace" }
    try blocking { try other.removeAll() }
    mine.deliverAll()
    await until { name.value == nil }
  }

  @Test("memory in front of the store is no obstacle, and own writes are announced, too")
  func memory() async throws {
    let (mine, other) = (AnnouncingStorage(server), AnnouncingStorage(server))
    let chain = MemoryStorage<String, String>().combined(with: mine)
    let name = StoredValue(chain, forKey: "a")
    await name.settled()
    let watcher = Watcher { name.value }
    try await name.set("Ada")
    mine.deliverAll()
    await name.refresh()
    try blocking { try other.setObject("Grace", forKey: "a") }
    mine.deliverAll()
    await until { watcher.seen.last == "Grace" }
    #expect(watcher.seen == [nil, "Ada", "Grace"])
  }

  @Test("what was missed while the link was down is read when it is up again")
  func link() async throws {
    let (mine, other) = (AnnouncingStorage(server), AnnouncingStorage(server))
    let name = StoredValue(mine, forKey: "a")
    await name.settled()
    mine.cut()
    mine.noticeLoss()
    try blocking { try other.setObject("Ada", forKey: "a") }
    mine.reconnect()
    await until { name.value == "Ada" }
  }

  @Test("a read that fails is repeated after a pause")
  func repeated() async throws {
    let source = FailingSource()
    let time = ManualClock()
    let name = StoredValue(source, forKey: "a", clock: time)
    await until { name.phase.error is Failure }
    for seconds in [1.0, 2, 4, 8, 16, 30, 30] {
      await time.sleepers(1)
      let reads = source.reads.value
      time.advance(by: seconds - 0.5)
      #expect(source.reads.value == reads)
      time.advance(by: 0.5)
      await until { source.reads.value == reads + 1 }
    }
    source.fails.change { $0 = false }
    await time.sleepers(1)
    time.advance(by: 30)
    await until { name.value == "Ada" && name.phase.isLoaded }
    #expect(time.sleeperCount == 0)
  }
}
