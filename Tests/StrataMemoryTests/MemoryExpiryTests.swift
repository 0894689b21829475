import Foundation
import StrataMemory
import Testing

@Suite("MemoryStorage: expiry")
struct MemoryExpiryTests {
  typealias Memory = MemoryStorage<String, Int>

  let time = ManualClock()

  func memory(expiry: Expiry = .never) -> Memory {
    Memory(config: MemoryConfig(expiry: expiry, clock: time.clock))
  }

  @Test("a value without any expiry never expires")
  func never() throws {
    let memory = memory()
    try memory.setObject(1, forKey: "a")
    time.advance(by: 1e9)
    #expect(try memory.object(forKey: "a") == 1)
    #expect(try memory.entry(forKey: "a").expiry == .never)
  }

  @Test("`.seconds` count from the write, and the value expires exactly then", arguments: [60, 0.25])
  func seconds(_ seconds: Double) throws {
    let memory = memory()
    try memory.setObject(1, forKey: "a", expiry: .seconds(seconds))
    time.advance(by: seconds / 2)
    #expect(try memory.object(forKey: "a") == 1)
    time.advance(by: seconds / 2)
    #expect(try memory.objectIfPresent(forKey: "a") == nil)
  }

  @Test("a date is kept unchanged, and `.seconds` are converted to a date")
  func resolved() throws {
    let memory = memory()
    let date = time.date.addingTimeInterval(60)
    try memory.setObject(1, forKey: "a", expiry: .date(date))
    try memory.setObject(1, forKey: "b", expiry: .seconds(60))
    time.advance(by: 30)
    for key in ["a", "b"] {
      #expect(try memory.expiryIfPresent(forKey: key) == .date(date))
      #expect(try memory.entry(forKey: key).expiry == .date(date))
      #expect(memory.peek(forKey: key)?.expiry == .date(date))
    }
  }

  @Test("the configuration's expiry applies to values without one, and counts from each write")
  func configured() throws {
    let memory = memory(expiry: .seconds(60))
    try memory.setObject(1, forKey: "default")
    try memory.setObject(1, forKey: "longer", expiry: .seconds(90))
    try memory.setObject(1, forKey: "shorter", expiry: .seconds(30))
    try memory.setObject(1, forKey: "ever", expiry: .never)
    time.advance(by: 30)
    try memory.setObject(1, forKey: "later")
    #expect(Set(try memory.keys()) == ["default", "longer", "ever", "later"])
    time.advance(by: 30)
    #expect(Set(try memory.keys()) == ["longer", "ever", "later"])
    time.advance(by: 30)
    #expect(try memory.keys() == ["ever"])
  }

  @Test("a value stored with a past expiry has expired at once", arguments: [0, -1, -1e9])
  func alreadyPast(_ seconds: Double) throws {
    let memory = memory()
    for expiry in [Expiry.seconds(seconds), .date(time.date.addingTimeInterval(seconds))] {
      try memory.setObject(1, forKey: "a")
      try memory.setObject(2, forKey: "a", expiry: expiry)
      #expect(try memory.objectIfPresent(forKey: "a") == nil)
      #expect(try memory.keys() == [])
    }
  }

  @Test("only `entry` and `peek` return an expired value, with its expiry")
  func expired() throws {
    let memory = memory()
    try memory.setObject(1, forKey: "a", expiry: .seconds(1))
    try memory.setObject(2, forKey: "b")
    time.advance(by: 1)
    #expect(throws: StorageError.notFound) { try memory.object(forKey: "a") }
    #expect(throws: StorageError.notFound) { try memory.retrieve(forKey: "a") }
    #expect(try memory.objectIfPresent(forKey: "a") == nil)
    #expect(try !memory.objectExists(forKey: "a"))
    #expect(try memory.isExpiredObject(forKey: "a"))
    #expect(try memory.keys() == ["b"])
    #expect(try memory.allKeys() == ["b"])
    #expect(try memory.allObjects() == [2])
    #expect(throws: StorageError.notFound) { try memory.update(forKey: "a") { $0 += 1 } }
    for entry in [try memory.entryIfPresent(forKey: "a"), memory.peek(forKey: "a")] {
      #expect(try #require(entry).expiry.isExpired(by: time.clock))
    }
  }

  @Test("a write makes an expired key valid again")
  func revived() throws {
    let memory = memory()
    try memory.setObject(1, forKey: "a", expiry: .seconds(1))
    time.advance(by: 1)
    try memory.setObject(2, forKey: "a")
    #expect(try memory.object(forKey: "a") == 2)
  }

  @Test("setting the clock back makes expired values valid again, unless they were removed")
  func clockGoesBack() throws {
    let memory = memory()
    try memory.setObject(1, forKey: "a", expiry: .seconds(10))
    time.advance(by: 10)
    #expect(try memory.objectIfPresent(forKey: "a") == nil)
    time.advance(by: -1)
    #expect(try memory.object(forKey: "a") == 1)
    try memory.removeExpiredObjects()
    #expect(try memory.object(forKey: "a") == 1)
    time.advance(by: 1)
    try memory.removeExpiredObjects()
    time.advance(by: -1)
    #expect(try memory.entryIfPresent(forKey: "a") == nil)
  }

  @Test("a sweep removes exactly the expired values", arguments: [0, 1, 10, 5000])
  func sweep(_ count: Int) throws {
    let memory = MemoryStorage<Int, Int>(config: MemoryConfig(clock: time.clock))
    for key in 0..<count { try memory.setObject(key, forKey: key, expiry: .seconds(Double(key % 5 + 1))) }
    try memory.removeExpiredObjects()
    #expect(memory.count == count)
    for passed in 1...5 {
      time.advance(by: 1)
      let left = (0..<count).filter { $0 % 5 >= passed }
      #expect(try memory.keys().sorted() == left)
      try memory.removeExpiredObjects()
      #expect(memory.count == left.count)
      #expect(try memory.entries(forKeys: Array(0..<count)).keys.sorted() == left)
    }
    #expect(memory.count == 0)
  }

  @Test("expired entries count against limits until they are removed")
  func takesRoom() throws {
    let memory = Memory(config: MemoryConfig(countLimit: 2, clock: time.clock))
    try memory.setObject(1, forKey: "live")
    try memory.setObject(2, forKey: "dead", expiry: .seconds(0))
    try memory.removeExpiredObjects()
    try memory.setObject(3, forKey: "new")
    #expect(Set(try memory.keys()) == ["live", "new"])
    #expect(memory.count == 2)
  }

  @Test("by the machine's clock too: valid before, gone from its moment on")
  func systemClock() throws {
    let memory = Memory()
    #expect(memory.clock.isPast(.now.addingTimeInterval(-0.001)))
    try memory.setObject(1, forKey: "past", expiry: .date(.now.addingTimeInterval(-0.001)))
    try memory.setObject(1, forKey: "future", expiry: .seconds(3600))
    #expect(try memory.objectIfPresent(forKey: "past") == nil)
    #expect(try memory.object(forKey: "future") == 1)
    let date = Date.now.addingTimeInterval(0.004)
    try memory.setObject(1, forKey: "soon", expiry: .date(date))
    while try memory.objectIfPresent(forKey: "soon") != nil {}
    #expect(Date.now >= date)
  }
}
