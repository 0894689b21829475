import Foundation
import StrataCore
import Testing

@testable import StrataS3

@Suite struct AddressTests {
  private func url(
    _ bucket: String, _ endpoint: String?, _ addressing: S3Addressing = .automatic,
    region: String = "eu-central-1"
  ) throws -> String? {
    let config = S3Config(
      bucket: bucket, region: region, endpoint: endpoint.flatMap { URL(string: $0) }, addressing: addressing)
    let address = try S3Address(config)
    let query = [(name: "uploads", value: ""), ("x", "a b/c")]
    return address.url(address.path(of: "p/a=2Fb"), query: query)?.absoluteString
  }

  @Test func theURLContainsTheBucket() throws {
    let rest = "p/a%3D2Fb?uploads=&x=a%20b%2Fc"
    #expect(try url("films", nil) == "https://films.s3.eu-central-1.amazonaws.com/\(rest)")
    #expect(try url("my.films", nil) == "https://s3.eu-central-1.amazonaws.com/my.films/\(rest)")
    #expect(try url("films", nil, .path) == "https://s3.eu-central-1.amazonaws.com/films/\(rest)")
    #expect(
      try url("films", nil, region: "cn-north-1") == "https://films.s3.cn-north-1.amazonaws.com.cn/\(rest)")
    #expect(try url("films", "http://localhost:9000") == "http://localhost:9000/films/\(rest)")
    #expect(try url("films", "http://localhost:9000/", .virtualHost) == "http://films.localhost:9000/\(rest)")
    #expect(try url("films", "https://s3.example.com:443") == "https://s3.example.com/films/\(rest)")
    #expect(try url("films", "http://[::1]:9000") == "http://[::1]:9000/films/\(rest)")
  }

  @Test(
    arguments: [
      ("", nil), ("ab", nil), ("a_b", nil), ("a/b", nil), ("../..", nil), ("a..b", nil),
      (String(repeating: "b", count: 64), nil),
      ("films", "ftp://host"), ("films", "http://user:secret@host"), ("films", "http://host/path"),
      ("films", "http://host?a=b"), ("films", "host"),
    ] as [(String, String?)])
  func refuses(_ bucket: String, _ endpoint: String?) {
    #expect {
      try url(bucket, endpoint)
    } throws: {
      ($0 as? StorageError) == .invalidConfiguration && !"\($0)".contains("secret")
    }
  }
}
