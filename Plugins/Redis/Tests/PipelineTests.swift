import Foundation
import StrataCore
import StrataNetwork
import Testing

@testable import StrataRedis

/// The pipeline of commands and calls, without a socket.
struct PipelineTests {
  private static let never = ContinuousClock.now + .seconds(1_000_000)

  private func call(_ deadline: ContinuousClock.Instant = never) -> Call { Call(deadline: deadline) }

  private let command = RedisCommand("PING", keyIndex: nil)

  /// A class around a pipeline: `#expect` cannot evaluate mutating calls of a structure.
  private final class Line {
    private var pipeline: Pipeline
    var owesReplies: Bool { pipeline.owesReplies }
    var nextCheck: ContinuousClock.Instant? { pipeline.nextCheck }
    var sentCalls: Int { pipeline.sentCalls }

    init(_ limits: Pipeline.Limits = .init(), isOpen: Bool = true) {
      pipeline = Pipeline(limits: limits)
      if isOpen { _ = pipeline.open() }
    }

    func open() -> Pipeline.NextStep { pipeline.open() }
    func add(_ call: Call, _ command: RedisCommand) throws -> Pipeline.NextStep {
      try pipeline.add(call, .one(command))
    }
    func add(_ call: Call, _ commands: [RedisCommand]) throws -> Pipeline.NextStep {
      try pipeline.add(call, .many(commands))
    }
    func addOwn(_ command: RedisCommand) -> Pipeline.NextStep { pipeline.addOwn(command) }
    func addGreeting(_ commands: [RedisCommand]) { pipeline.addGreeting(commands) }
    func receive(_ replies: [RESPValue]) -> Pipeline.Receipt { pipeline.receive(replies[...]) }
    func beginWrite() -> (bytes: [UInt8], start: Int)? { pipeline.beginWrite() }
    func endWrite(_ bytes: [UInt8], _ end: Int, wouldBlock: Bool) -> Bool {
      pipeline.endWrite(bytes, end, wouldBlock: wouldBlock)
    }
    func socketHasRoom() { pipeline.socketHasRoom() }
    /// For each of the next replies, whether its texts are not needed.
    func unread(_ count: Int) -> [Bool] {
      var runs = pipeline.runs
      return (0..<count).map { _ in
        defer { runs.removeFirst(1) }
        return runs.next
      }
    }
    func check(by deadline: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      pipeline.check(by: deadline)
    }
    func expire(_ now: ContinuousClock.Instant) -> [Call] { pipeline.expire(now) }
    func close(_ reason: RedisConnectionError) -> [Call] { pipeline.close(reason) }

    /// Writes all bytes that may be written now, and returns their number.
    func write() -> Int {
      guard let (bytes, start) = beginWrite() else { return 0 }
      _ = endWrite(bytes, bytes.count, wouldBlock: false)
      return bytes.count - start
    }
  }

  private func areSame(_ left: [Call], _ right: [Call]) -> Bool { left.elementsEqual(right) { $0 === $1 } }

  @Test func callsAreNotSentBeforeTheGreeting() throws {
    let line = Line(isOpen: false)
    #expect(try line.add(call(), command) == .nothing)
    #expect(try line.add(call(), [command, command]) == .nothing)
    #expect(line.beginWrite() == nil)
    line.addGreeting([command])
    #expect(line.write() == command.bytes.count)
    #expect(line.open() != .nothing)
    #expect(line.write() == 3 * command.bytes.count)
  }

  /// The first call writes its own bytes. While a reply is outstanding, calls leave writing to the event loop, and only
  /// the first of them requests it.
  @Test func manyCallsRequestOneFlush() throws {
    let line = Line()
    #expect(try line.add(call(), command) == .write)
    #expect(try line.add(call(), command) == .requestFlush)
    #expect(try line.add(call(), command) == .nothing)
    #expect(line.write() == 3 * command.bytes.count)
    #expect(try line.add(call(), command) == .requestFlush)
    _ = line.write()
    #expect(line.receive([.null, .null, .null, .null]).answered.count == 4)
    #expect(try line.add(call(), command) == .write)
  }

  @Test func oneWriterAtATime() throws {
    let line = Line()
    _ = try line.add(call(), command)
    let (bytes, _) = try #require(line.beginWrite())
    #expect(try line.add(call(), command) == .nothing)
    #expect(line.beginWrite() == nil)
    #expect(line.endWrite(bytes, bytes.count, wouldBlock: false))
    #expect(line.write() == command.bytes.count)
  }

  /// Unwritten bytes are written before later ones.
  @Test func unwrittenBytesAreWrittenFirst() throws {
    let line = Line()
    _ = try line.add(call(), RedisCommand("ECHO", "first", keyIndex: nil))
    let (bytes, _) = try #require(line.beginWrite())
    _ = try line.add(call(), command)
    #expect(!line.endWrite(bytes, 5, wouldBlock: true))
    #expect(line.beginWrite() == nil)
    line.socketHasRoom()
    let (rest, start) = try #require(line.beginWrite())
    #expect(rest == bytes && start == 5)
    #expect(line.endWrite(rest, rest.count, wouldBlock: false))
    #expect(line.write() == command.bytes.count)
  }

  /// The event loop may report room in the socket before the writer has recorded that there was none. The report must
  /// not be lost.
  @Test func roomReportedEarlyIsNotMissed() throws {
    let line = Line()
    _ = try line.add(call(), command)
    let (bytes, _) = try #require(line.beginWrite())
    line.socketHasRoom()
    #expect(line.endWrite(bytes, 0, wouldBlock: true))
    #expect(line.write() == command.bytes.count)
  }

  @Test(arguments: [Pipeline.Limits(calls: 3), Pipeline.Limits(bytes: 40)])
  func callsBeyondTheLimitWait(_ limits: Pipeline.Limits) throws {
    let line = Line(limits)
    var calls: [Call] = []
    for _ in 0..<10 {
      calls.append(call())
      _ = try line.add(calls[calls.count - 1], command)
    }
    // Each limit is reached by three commands, of 14 bytes each.
    #expect(line.write() == 42)
    var answered: [Call] = []
    while answered.count < 10 {
      let receipt = line.receive([.null])
      answered += receipt.answered.map(\.call)
      #expect(line.write() <= 42)
    }
    #expect(areSame(answered, calls))
  }

  /// A cancelled call that waits for room is left out, and the next one is sent.
  @Test func aCancelledCallThatWaitsIsNotSent() throws {
    let line = Line(.init(calls: 1))
    let calls = (0..<3).map { _ in call() }
    for call in calls { _ = try line.add(call, command) }
    #expect(line.write() == command.bytes.count)
    calls[1].finish(.failure(CancellationError()))
    _ = line.receive([.null])
    #expect(line.write() == command.bytes.count)
    #expect(line.receive([.null]).answered.first?.call === calls[2])
    #expect(!line.owesReplies)
  }

  @Test func repliesReachTheirCalls() throws {
    let line = Line()
    let (one, three, last) = (call(), call(), call())
    _ = try line.add(one, command)
    _ = try line.add(three, [command, command, command])
    _ = line.addOwn(command)
    _ = try line.add(last, command)
    let first = line.receive([.integer(1), .integer(2)])
    #expect(first.answered.map(\.replies.all) == [[.integer(1)]])
    #expect(first.answered.first?.call === one)
    #expect(line.receive([.integer(3)]).answered.isEmpty)
    let rest = line.receive([.integer(4), .simple("PONG"), .integer(5)])
    #expect(rest.answered.map(\.replies.all) == [[.integer(2), .integer(3), .integer(4)], [.integer(5)]])
    #expect(rest.answered.last?.call === last)
  }

  /// The pipeline records for each outstanding reply whether its text is needed, also after other replies have arrived.
  @Test func repliesWhoseTextsAreNotNeededAreMarked() throws {
    let line = Line()
    let careful = RedisCommand(set: "k", to: Data(), .endless, .inPlaceOfText)
    _ = try line.add(call(), [command, command])
    #expect(line.unread(4) == [false, false, false, false])
    _ = try line.add(call(), careful)
    _ = try line.add(call(), [careful])
    _ = try line.add(call(), RedisCommand(reading: "GET", .life, "k"))
    // The mark applies to all commands of a call or to none: a transaction has one reply for all of its commands.
    _ = try line.add(call(), [careful, command])
    #expect(line.unread(9) == [false, false, true, true, false, false, true, true, false])
    _ = line.receive([.null])
    #expect(line.unread(8) == [false, true, true, false, false, true, true, false])
    #expect(line.receive([.null, .null]).answered.count == 2)
    #expect(line.unread(6) == [true, false, false, true, true, false])
    let pair = line.receive([.null, "v", .integer(-1)])
    #expect(pair.answered.last?.replies.only == .array(["v", .integer(-1)]))
    #expect(line.unread(3) == [true, true, false])
  }

  /// After random changes, the runs equal a list with an element for each reply.
  @Test func runsEqualAListOfReplies() {
    var random = SeededNumbers(seed: 14)
    for _ in 0..<200 {
      var (runs, list) = (ReplyRuns(), [Bool]())
      for _ in 0..<50 {
        if Bool.random(using: &random) {
          let (count, drops) = (Int.random(in: 0...3, using: &random), Bool.random(using: &random))
          runs.append(count, dropsTexts: drops)
          list += Array(repeating: drops, count: count)
        } else {
          let count = Int.random(in: 0...5, using: &random)
          runs.removeFirst(count)
          list.removeFirst(min(count, list.count))
        }
        #expect(runs.next == list.first ?? false)
      }
    }
  }

  /// Large commands are written without being copied, in order with the others, also if a write takes only a part.
  @Test func largeCommandsKeepTheirOrder() throws {
    let line = Line()
    let value = Data(0..<251) + Data(count: 2 * Pipeline.largeCommand)
    let large = RedisCommand("ECHO", .bytes(value), keyIndex: nil)
    let parcels = [
      [command, large, command], [large], [command, command], [command, large, large, command],
    ]
    for parcel in parcels { _ = try line.add(call(), parcel) }
    var written: [UInt8] = []
    var writes = 0
    while let (bytes, start) = line.beginWrite() {
      let end = min(start + 50_000, bytes.count)
      written += bytes[start..<end]
      writes += 1
      _ = line.endWrite(bytes, end, wouldBlock: false)
    }
    #expect(written == parcels.joined().flatMap(\.bytes))
    #expect(writes == 4 * 2 + 4)
    // A command that was never handed to the system does not count as sent, and may be sent again.
    for _ in 0..<2 { _ = try line.add(call(), large) }
    _ = line.beginWrite()
    #expect(line.close(.closed).count == parcels.count + 2)
    #expect(line.sentCalls == parcels.count + 1)
  }

  /// An extra reply does not discard the reply before it.
  @Test func anUnrequestedReplyIsDetected() throws {
    let line = Line()
    _ = try line.add(call(), command)
    let receipt = line.receive([.null, .null])
    #expect(receipt.answered.count == 1)
    #expect(receipt.hasUnasked)
  }

  @Test func closingReturnsAllWaitingCalls() throws {
    let line = Line(.init(calls: 2))
    let calls = (0..<4).map { _ in call() }
    _ = try line.add(calls[0], [command, command])
    for call in calls.dropFirst() { _ = try line.add(call, command) }
    _ = line.receive([.null])
    #expect(areSame(line.close(.closed), calls))
    #expect(line.close(.closed).isEmpty)
    #expect(line.beginWrite() == nil)
    #expect(throws: RedisConnectionError.closed) { try line.add(call(), command) }
    #expect(throws: RedisConnectionError.closed) { try line.add(call(), [command]) }
  }

  @Test func theEarliestDeadlineIsCheckedFirst() throws {
    let line = Line(.init(calls: 2))
    let now = ContinuousClock.now
    let calls = [30, 10, 20, 40].map { call(now + .seconds($0)) }
    var checks: [ContinuousClock.Instant?] = []
    for call in calls {
      _ = try line.add(call, command)
      checks.append(line.check(by: call.deadline))
    }
    #expect(checks == [now + .seconds(30), now + .seconds(10), nil, nil])
    #expect(areSame(line.expire(now + .seconds(10)), [calls[1]]))
    #expect(line.nextCheck == now + .seconds(20))
    calls[1].finish(.failure(CancellationError()))
    calls[2].finish(.failure(CancellationError()))
    #expect(line.expire(now + .seconds(20)).isEmpty)
    #expect(line.nextCheck == now + .seconds(30))
    #expect(line.expire(now + .seconds(50)).count == 2)
    #expect(line.nextCheck == nil)
  }
}
