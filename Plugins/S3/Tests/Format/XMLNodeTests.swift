import Foundation
import StrataTestKit
import TestSupport
import Testing

@testable import StrataS3

@Suite struct XMLNodeTests {
  private static let list = """
    \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
    <!-- a comment with <tags> -->
    <s3:ListBucketResult xmlns:s3="http://s3.amazonaws.com/doc/2006-03-01/" other='"&gt;'>
      <Name>b</Name><Empty/><Empty />
      <Contents><Key>a&amp;b&lt;&gt;&quot;&apos;&#x1F642;&#65;</Key><Size>1</Size></Contents>
      <Contents><Key><![CDATA[<raw> & more]]></Key><Size> 2 </Size><?ignored this?></Contents>
    </s3:ListBucketResult>
    <!-- the end -->
    """

  @Test func readsElementsTextAndEntities() throws {
    let root = try XMLNode(parsing: Data(Self.list.utf8))
    #expect(root.name == "ListBucketResult" && root["Name"]?.text == "b" && root["None"] == nil)
    #expect(root.all("Empty").map(\.text) == ["", ""])
    #expect(root.all("Contents").map { $0["Key"]?.text } == ["a&b<>\"'🙂A", "<raw> & more"])
    #expect(root.all("Contents").map { $0["Size"]?.text } == ["1", " 2 "])
  }

  @Test func readsWhatItWrites() throws {
    let text = "a&b<c>\"'\r\n\t é🙂"
    #expect(try XMLNode(parsing: Data("<a>\(XMLNode.escaped(text))</a>".utf8)).text == text)
  }

  @Test(arguments: [
    "", " ", "text", "<", "<>", "<a", "<a>", "<a></b>", "<a/><b/>", "<a/>text", "<a>&none;</a>",
    "<a>&amp</a>",
    "<a>&#xD800;</a>", "<a>&#99999999;</a>", "<a b></a>", "<a b=c/>", "<a b='/>", "<!DOCTYPE a><a/>",
    "<a><!-- </a>",
    "<a><![CDATA[</a>", "<a>\u{0}<", String(repeating: "<a>", count: 100_000),
    String(repeating: "<a>", count: 65) + String(repeating: "</a>", count: 65),
  ])
  func refuses(_ text: String) {
    #expect(throws: XMLError.self) { try XMLNode(parsing: Data(text.utf8)) }
  }

  @Test func invalidUTF8IsRefused() {
    #expect(throws: XMLError.self) { try XMLNode(parsing: Data("<a>".utf8) + [0xFF] + Data("</a>".utf8)) }
  }

  /// No damaged document crashes the parser, and no truncated one is accepted.
  @Test func damagedDocumentsDoNotCrashTheParser() {
    let bytes = Array(Self.list.utf8)
    for count in bytes.indices where count < bytes.count - 20 {
      #expect(throws: XMLError.self) { try XMLNode(parsing: Data(bytes[..<count])) }
    }
    var random = SeededGenerator(seed: Soak.seed)
    for _ in 0..<Soak.rounds(500, soak: 100_000) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do { _ = try XMLNode(parsing: Data(damaged)) } catch {}
    }
  }
}
