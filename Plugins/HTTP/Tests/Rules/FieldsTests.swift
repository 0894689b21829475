import Foundation
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct FieldsTests {
  @Test("field names are case-insensitive, and fields of one name are joined")
  func lookup() {
    let fields = HeaderFields(["ETag": "1", "vary": "A", "Vary": "b"])
    #expect(fields["etag"] == "1")
    #expect(fields.names(in: "VARY").sorted() == ["a", "b"])
    #expect(fields["other"] == nil)
  }

  @Test("fields of the connection are not stored")
  func storable() {
    let fields = HeaderFields([
      "Connection": "close, X-Hop", "Keep-Alive": "5", "Transfer-Encoding": "chunked", "x-hop": "1",
      "X-End": "2",
    ])
    #expect(fields.storable == HeaderFields(["X-End": "2"]))
  }

  @Test("a 304 updates the fields, except those about the form of the body")
  func update() {
    let stored = HeaderFields(["ETag": "1", "Content-Length": "5", "Content-Encoding": "gzip", "X-Old": "1"])
    let newer = HeaderFields([
      "etag": "1", "Content-Length": "0", "Content-Encoding": "br", "Cache-Control": "max-age=60",
      "Connection": "close",
    ])
    #expect(
      stored.updated(by: newer).dictionary == [
        "etag": "1", "Content-Length": "5", "Content-Encoding": "gzip", "X-Old": "1",
        "Cache-Control": "max-age=60",
      ])
  }

  @Test(
    "which further requests a response answers",
    arguments: [
      // Vary, fields of the first request, fields of the second
      ("", [:], ["Accept": "x"], true), ("Accept", ["Accept": "a"], ["Accept": "a"], true),
      ("Accept", ["Accept": "a"], ["Accept": "b"], false), ("accept", ["Accept": "a"], [:], false),
      ("Accept", ["Accept": "a , b"], ["accept": " a,b "], true),
      ("Accept, X", ["X": "1"], ["X": "1"], true), ("Accept, X", ["X": "1"], ["X": "2"], false),
      // Languages and codings are case-insensitive; other values are compared exactly. The order of values is
      // significant.
      ("Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "EN,De"], true),
      ("Accept-Encoding", ["Accept-Encoding": "gzip"], ["Accept-Encoding": "GZip"], true),
      ("Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "de, en"], false),
      ("Accept", ["Accept": "a"], ["Accept": "A"], false),
      ("*", [:], [:], false), ("Accept, *", [:], [:], false),
      // Credentials count even if `Vary` does not name them; a response that varies by unknown cookies answers no
      // request.
      ("", ["Authorization": "a"], ["Authorization": "b"], false), ("", ["Authorization": "a"], [:], false),
      ("", ["Authorization": "a"], ["Authorization": "a"], true),
      ("Cookie", [:], [:], false), ("Cookie", ["Cookie": "a"], ["Cookie": "a"], true),
    ] as [(String, [String: String], [String: String], Bool)])
  func selection(vary: String, one: [String: String], other: [String: String], expected: Bool) throws {
    let url = try #require(URL(string: "http://example.com"))
    let response = HeaderFields(["Vary": vary])
    let first = Selection.hash(of: RequestFields(request(url, "GET", one).urlRequest), for: response)
    let second = Selection.hash(of: RequestFields(request(url, "GET", other).urlRequest), for: response)
    #expect((first != nil && first == second) == expected)
  }

  @Test("a name and password in the URL count as credentials")
  func userInURL() throws {
    let one = try #require(URL(string: "http://a:b@example.com"))
    let other = try #require(URL(string: "http://a:c@example.com"))
    #expect(
      Selection.hash(of: RequestFields(URLRequest(url: one)), for: .init())
        != Selection.hash(of: RequestFields(URLRequest(url: other)), for: .init()))
  }

  @Test(
    "equivalent spellings of a URL have one key",
    arguments: [
      ("HTTP://Example.COM", "http://example.com/"), ("http://example.com:80/", "http://example.com/"),
      ("https://example.com:443/a", "https://example.com/a"),
      ("http://example.com:443/", "http://example.com:443/"),
      ("http://example.com/A?b=c#d", "http://example.com/A?b=c"),
      ("http://me:pw@example.com/", "http://example.com/"),
      ("http://example.com/%C3%BC", "http://example.com/%C3%BC"), ("http://[::1]:80/", "http://[::1]/"),
      ("file:///etc", nil), ("http:///x", nil), ("mailto:a@b", nil),
    ])
  func target(text: String, expected: String?) throws {
    let url = try #require(URL(string: text))
    #expect(Target.key(of: url) == expected)
  }

  @Test("Location and Content-Location count only on the same host")
  func field() throws {
    let url = try #require(URL(string: "http://example.com/list?x"))
    #expect(Target.key(ofField: "/list/1", from: url) == "http://example.com/list/1")
    #expect(Target.key(ofField: "http://example.com/2", from: url) == "http://example.com/2")
    #expect(Target.key(ofField: "http://other.com/2", from: url) == nil)
    #expect(Target.key(ofField: "https://example.com/2", from: url) == nil)
    #expect(Target.key(ofField: nil, from: url) == nil)
  }
}
