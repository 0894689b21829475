import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

/// Compatibility with boto3, AWS's own client for Python: each reads the objects that the other has written.
@Suite(.serialized, .endsInTime) struct PeerTests {
  private static let program = """
    import sys, json, boto3
    from botocore.config import Config
    order = json.load(sys.stdin)
    s3 = boto3.client('s3', endpoint_url=order['endpoint'], aws_access_key_id=order['id'], region_name='us-east-1',
      aws_secret_access_key=order['secret'], config=Config(s3={'addressing_style': 'path'}))
    b = order['bucket']
    if order['action'] == 'read':
      names = [o['Key'] for p in s3.get_paginator('list_objects_v2').paginate(Bucket=b, Prefix='peer/')
        for o in p.get('Contents', [])]
      print(json.dumps({n: [s3.get_object(Bucket=b, Key=n)['Body'].read().hex(),
        s3.head_object(Bucket=b, Key=n)['Metadata']] for n in names}))
    if order['action'] == 'write':
      for name, (value, metadata) in order['objects'].items():
        s3.put_object(Bucket=b, Key=name, Body=bytes.fromhex(value), Metadata=metadata)
    """

  private func run(_ action: String, _ objects: [String: Any] = [:], on server: S3Server) throws -> Data {
    let order: [String: Any] = [
      "endpoint": server.endpoint.absoluteString, "id": S3Server.credentials.accessKeyID,
      "secret": S3Server.credentials.secretAccessKey, "bucket": S3Server.bucket, "action": action,
      "objects": objects,
    ]
    let result = try Program.run(
      [S3Tools.path("python"), "-c", Self.program], input: JSONSerialization.data(withJSONObject: order))
    #expect(
      result.end == .exit(0), "\(String(decoding: result.printed.suffix(1000), as: UTF8.self))")
    return result.printed
  }

  private static let names = [
    "ada": "ada", "": "=", "a/b c": "a=2Fb=20c", ".hidden": "=2Ehidden", "é": "=C3=A9",
    "a+b&<": "a=2Bb=26=3C",
  ]

  @Test(arguments: S3ServerKind.installed)
  func readsWhatTheStoreWrites(_ kind: S3ServerKind) async throws {
    let server = try await S3Server.shared(kind)
    let store = try S3Storage<String>(config: server.config(), prefix: "peer")
    for key in Self.names.keys { try await store.setObject(Data("value of \(key)".utf8), forKey: key) }
    let date = Date(timeIntervalSince1970: 4_000_000_000.5)
    try await store.setObject(Data([0, 1, 255]), forKey: "mortal", expiry: .date(date))
    let read = try #require(
      try JSONSerialization.jsonObject(with: run("read", on: server)) as? [String: [Any]])
    for (key, name) in Self.names {
      #expect(read["peer/\(name)"]?.first as? String == Data("value of \(key)".utf8).hex, "\(key)")
      #expect((read["peer/\(name)"]?.last as? [String: String])?.isEmpty == true)
    }
    #expect(read["peer/mortal"]?.first as? String == "0001ff")
    #expect(read["peer/mortal"]?.last as? [String: String] == ["strata-expiry": "4000000000500"])
    #expect(Set(read.keys) == Set((Self.names.values + ["mortal", "=expires"]).map { "peer/\($0)" }))
  }

  @Test(arguments: S3ServerKind.installed)
  func theStoreReadsWhatItWrites(_ kind: S3ServerKind) async throws {
    let server = try await S3Server.shared(kind)
    var objects: [String: Any] = [:]
    for (key, name) in Self.names {
      objects["peer-write/\(name)"] = [Data("value of \(key)".utf8).hex, [String: String]()]
    }
    objects["peer-write/past"] = ["00", ["strata-expiry": "1000"]]
    objects["peer-write/future"] = ["00", ["strata-expiry": "4000000000500"]]
    objects["peer-write/damaged"] = ["00", ["strata-expiry": "soon"]]
    objects["peer-write/no key"] = ["00", [String: String]()]
    objects["peer-write/=expires"] = ["", [String: String]()]
    _ = try run("write", objects, on: server)
    let store = try S3Storage<String>(config: server.config(), prefix: "peer-write")
    for key in Self.names.keys {
      #expect(try await store.object(forKey: key) == Data("value of \(key)".utf8))
    }
    #expect(try await store.objectIfPresent(forKey: "past") == nil)
    #expect(
      try await store.entry(forKey: "future").expiry == .date(Date(timeIntervalSince1970: 4_000_000_000.5)))
    await #expect(throws: StorageError.malformedFileAttributes) { try await store.object(forKey: "damaged") }
    await #expect(throws: StorageError.malformedFileAttributes) { try await store.keys() }
    try await store.removeObject(forKey: "damaged")
    #expect(Set(try await store.keys()) == Set(Array(Self.names.keys) + ["future"]))
  }
}
