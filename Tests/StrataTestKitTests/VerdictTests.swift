import Foundation
import Strata
import StrataTestKit
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Messages of the kit", .endsInTime) struct VerdictTests {
  /// A store that drops every write.
  private let forgetful = Subject("forgetful", except: [.manyKeys]) { place in
    var bent = Bent(Reference(at: place))
    bent.write = { _, _, _ in }
    return bent
  }

  @Test("a broken promise is an issue that names the store, the promise and the result")
  func issues() async throws {
    try await withKnownIssue {
      try await Contract.overwriting.check(forgetful)
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return ["forgetful", "overwriting", Contract.overwriting.sentence, "\"a\"", "nothing"].allSatisfy(
        text.contains)
    }
  }

  @Test("promises that a store does not make are not checked")
  func exceptions() async throws {
    guard case .notPromised = try await Contract.manyKeys.verdict(on: forgetful) else {
      Issue.record("checked")
      return
    }
  }

  @Test("an error of the store breaks the promise, and so does an error on opening it")
  func errors() async throws {
    let subject = Subject("closed") { _ in throw Failure.first }
    guard case .broken(let broken) = try await Contract.reading.verdict(on: subject) else {
      Issue.record("not broken")
      return
    }
    #expect(broken.explanation.contains("first"))
  }

  @Test("a second process needs a test that it can run again")
  func outsideOfTests() async throws {
    let subject = Subject("memory") { Reference(at: $0) }
    let check = Task.detached { try await Contract.survivingKill.verdict(on: subject) }
    let error = await #expect(throws: (any Error).self) { try await check.value }
    #expect("\(String(describing: error))".contains("can only be checked in a test"))
  }

  @Test("a program that a store starts in a second process may outlive that process")
  func grandchildren() async throws {
    let subject = Subject("starts a program") { place in
      if isSecondProcess {
        // The child inherits all open files of the process, until the tests end.
        _ = try Program(["sh", "-c", "while kill -0 \(getppid()); do sleep 1; done"])
      }
      return try DiskStorage(config: DiskConfig(name: "entries", directory: place.url))
    }
    try await Contract.survivingKill.check(subject)
  }

  @Test("each check gets an empty folder, which is removed afterwards")
  func places() async throws {
    let paths = Shared<[String]>([])
    let subject = Subject("watched") { place in
      let found = try FileManager.default.contentsOfDirectory(atPath: place.path)
      #expect(found.isEmpty)
      paths.change { $0.append(place.path) }
      return Reference(at: place)
    }
    for promise in [Contract.reading, .keys] { try await promise.check(subject) }
    #expect(Set(paths.value).count == 2)
    for path in paths.value { #expect(!FileManager.default.fileExists(atPath: path)) }
  }

  // A store that takes no clock is tested by waiting.
  @Test(
    "a store with a clock of its own",
    arguments: [Contract.expiry, .shortExpiry, .pastExpiry, .ownExpiry, .sweeping, .keys])
  func systemClock(_ promise: Contract) async throws {
    try await promise.check(
      Subject("by the system's clock") { MemoryStorage(config: MemoryConfig(expiry: $0.expiry)) })
  }

  private static let ofExpiry: [Contract] = [
    .expiry, .shortExpiry, .pastExpiry, .ownExpiry, .sweeping, .reopening,
  ]

  @Test(
    "a store that rounds dates keeps its promises to its stated resolution", arguments: ofExpiry,
    [0.001, 1, 5])
  func resolution(_ promise: Contract, _ resolution: Double) async throws {
    try await promise.check(
      Subject("in steps of \(resolution) s", expiryResolution: resolution) { rounding(resolution, at: $0) })
  }

  @Test("and breaks them for a finer resolution")
  func tooFine() async throws {
    let subject = Subject("in steps of 1 s", expiryResolution: 0.1) { rounding(1, at: $0) }
    guard case .broken = try await Contract.shortExpiry.verdict(on: subject) else {
      Issue.record("kept")
      return
    }
  }

  private func rounding(_ step: Double, at place: Place) -> Bent {
    let ownExpiry = place.expiry
    var bent = Bent(Reference(at: place))
    bent.beforeWrites { value, expiry in
      guard case .date(let date) = (expiry ?? ownExpiry).resolved(by: place.clock) else {
        return (value, expiry)
      }
      let steps = (date.timeIntervalSinceReferenceDate / step).rounded()
      return (value, .date(Date(timeIntervalSinceReferenceDate: steps * step)))
    }
    return bent
  }
}
