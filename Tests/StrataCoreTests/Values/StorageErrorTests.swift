import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("StorageError: what failed, on which key and place, and why")
struct StorageErrorTests {
  static let all: [StorageError] = [
    .notFound, .typeNotMatch, .malformedFileAttributes, .decodingFailed, .encodingFailed, .deallocated,
    .transformerFail, .backendFailed, .tooLarge, .deadlock,
  ]

  /// Returns which way of catching an error matches it.
  private func caught(_ error: any Error) -> String {
    do { throw error } catch StorageError.notFound { return "notFound" } catch StorageError.deadlock {
      return "deadlock"
    } catch let error as StorageError { return "other: \(error.code)" } catch { return "foreign" }
  }

  private func switched(_ error: StorageError) -> String {
    switch error {
    case .notFound: "notFound"
    case .deadlock: "deadlock"
    default: "other: \(error.code)"
    }
  }

  @Test("errors are equal if their codes are, whatever their details", arguments: all)
  func equality(_ error: StorageError) {
    #expect(error.with("otherwise", key: 5, place: "/tmp", cause: Failure.first) == error)
    #expect(Self.all.filter { $0 == error }.count == 1)
    #expect(StorageError(.init(error.code.description)) == error)
    #expect(StorageError(.init("a backend's own")) != error)
  }

  @Test("`catch StorageError.notFound` and `case .notFound` match by code alone")
  func patterns() {
    let circumstances = StorageError.notFound.with("gone", key: "k", cause: Failure.first)
    #expect(caught(circumstances) == "notFound")
    #expect(switched(circumstances) == "notFound")
    #expect(caught(StorageError.deadlock) == "deadlock")
    #expect(switched(.deadlock) == "deadlock")
    #expect(caught(StorageError.tooLarge) == "other: tooLarge")
    #expect(switched(.tooLarge) == "other: tooLarge")
    #expect(caught(Failure.first) == "foreign")
    #expect(throws: StorageError.notFound) { throw circumstances }
  }

  @Test("details are added one by one, and none is lost")
  func with() {
    let error = StorageError.notFound.with(key: 5).with("gone").with(place: "/tmp").with(cause: Failure.first)
    #expect(error.key as? Int == 5)
    #expect(error.message == "gone")
    #expect(error.place == "/tmp")
    #expect(error.cause as? Failure == .first)
    #expect(error.with(key: 6).key as? Int == 6)
  }

  @Test("its description contains all details", arguments: all)
  func description(_ error: StorageError) {
    #expect("\(error)".hasPrefix("\(error.code): \(error.message)"))
    let cause = StorageError.decodingFailed.with("no JSON", key: "inner")
    let text = "\(error.with("it is broken", key: "the key", place: "/tmp/x", cause: cause))"
    for part in ["\(error.code)", "it is broken", "\"the key\"", "/tmp/x", "no JSON", "inner"] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(error.with("it is broken").localizedDescription == "\(error.code): it is broken")
    #expect(!"\(error)".contains("["), "nothing is said of what is not known")
  }

  @Test(
    "a short key is shown whole, a long one by its beginning and its length",
    arguments: ["k", "👩‍👩‍👧‍👦", "e\u{301}"])
  func longKeys(_ part: String) {
    let short = String(repeating: part, count: 3)
    #expect("\(StorageError.notFound.with(key: short))".contains("[key: \"\(short)\"]"))
    let long = String(repeating: part, count: 100_000)
    let text = "\(StorageError.notFound.with(key: long))"
    #expect(text.utf8.count < 2500)
    #expect(text.contains("\"\(part)"))
    #expect(text.contains("\(long.utf8.count + 2) bytes"))
  }

  @Test("a key of one very long character is shortened too", arguments: ["\u{301}", "\u{200D}👩"])
  func endlessCharacter(_ part: String) {
    let key = "e" + String(repeating: part, count: 50_000)
    #expect("\(StorageError.notFound.with(key: key))".utf8.count < 2500)
  }

  @Test("line breaks in a key are escaped")
  func oneLine() {
    let text = "\(StorageError.notFound.with(key: "a\nb\r\n\u{0}"))"
    #expect(text.split(omittingEmptySubsequences: false) { $0.isNewline }.count == 1)
  }
}
