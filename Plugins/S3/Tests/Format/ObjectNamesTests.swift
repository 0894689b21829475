import StrataCore
import TestSupport
import Testing

@testable import StrataS3

@Suite struct ObjectNamesTests {
  private static let keys = [
    "", ".", "..", ".a", "a.", "/", "a/b", "//", "=", "==", "=-", "==2F", "=2F", "%2F", " ", "+", "a+b", "~",
    "\0",
    "\u{7F}", "\n", "é", "日本", "🙂", "expires", "=expires", "=probe", "a-b_c.d", "\u{FEFF}", "\u{FFFF}",
    "&<>\"'",
    String(repeating: "k", count: 255), String(repeating: "k", count: 256), String(repeating: "/", count: 85),
    String(repeating: "/", count: 86), String(repeating: "é", count: 100_000),
  ]

  @Test func differentKeysHaveDifferentNames() throws {
    let names = try ObjectNames(prefix: "p")
    #expect(Set(Self.keys.map { names.name($0).text }).count == Self.keys.count)
  }

  @Test(arguments: keys, ["", "p", "a/b"])
  func aNameIsOneShortFileName(_ key: String, _ prefix: String) throws {
    let names = try ObjectNames(prefix: prefix)
    let name = names.name(key)
    #expect(name.text.hasPrefix(names.prefix))
    let rest = name.text.dropFirst(names.prefix.count)
    #expect(!rest.isEmpty && rest.utf8.count <= 255 && !rest.contains("/") && !rest.hasPrefix("."))
    #expect(
      rest.utf8.allSatisfy { $0 == UInt8(ascii: "=") || Encoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
    )
    switch names.read(name.text) {
    case .text(let text): #expect(text == key && name.head.isEmpty)
    case .stored(let count): #expect(count == key.canonicalUTF8.count && name.head == key.canonicalUTF8)
    case nil: Issue.record("\(name) is not understood")
    }
  }

  @Test func equalTextsHaveTheSameName() throws {
    let names = try ObjectNames(prefix: "p")
    #expect(names.name("caf\u{E9}") == names.name("cafe\u{301}"))
    #expect(names.name("caf\u{E9}").text == "p/caf=C3=A9")
    #expect(names.name("a/b c").text == "p/a=2Fb=20c")
    #expect(names.name(42).text == "p/42")
  }

  /// Names of objects that other programs have stored, and names that belong to no key.
  @Test(arguments: [
    "p/=expires", "p/=probe", "q/a", "p/", "p", "p/a=2", "p/a=zz", "p/=61", "p/a=2f", "p/=C3", "p/=-12-3",
    "p/.a",
    "p/=-", "p/=FF",
  ])
  func othersAreNoKeys(_ name: String) throws {
    #expect(try ObjectNames(prefix: "p").read(name) == nil, "\(name)")
  }

  @Test(arguments: [
    "/", "a/", "/a", "a//b", ".", "a/..", "a b", "é", "a\n", "a?b", String(repeating: "p", count: 701),
  ])
  func refusesPrefixes(_ prefix: String) {
    #expect(throws: StorageError.invalidConfiguration) { try ObjectNames(prefix: prefix) }
  }
}

extension ObjectNames.Reading: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left == right
    case (.stored(let left), .stored(let right)): left == right
    default: false
    }
  }
}
