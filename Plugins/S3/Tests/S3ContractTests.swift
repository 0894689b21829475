import StrataS3
import StrataTestKit
import TestSupport
import Testing

/// The contract of the test kit, on two servers.
@Suite(.serialized, .endsInTime) struct S3ContractTests {
  /// The checks that do not apply to S3: keys are listed in the order of their escaped names, each entry of a batch is
  /// a request, a server may execute a cancelled request, and the store has no files.
  private static let except: Set<Contract> = [
    .sortedKeys, .atomicBatches, .cancellation, .fullDisk, .readOnlyFolder,
  ]
  /// The checks omitted by `make test`, since each request takes the servers some milliseconds: on moto, checks that do
  /// not depend on the server; on SeaweedFS, long checks that other tests cover. `make soak` checks everything on both.
  private static let brief: [S3ServerKind: [Contract]] = [
    .moto: [.equalKeys, .expiry, .hugeValue, .keys, .overwriting, .removing],
    .seaweed: Contract.brief(number: 1).filter {
      ![.manyKeys, .parallelKeys, .reopening, .resources].contains($0)
    },
  ]
  private static let cases = S3ServerKind.installed.flatMap { kind in
    (Soak.isOn ? Contract.allCases : brief[kind] ?? []).map { (kind, $0) }
  }

  @Test(arguments: cases)
  func keeps(_ kind: S3ServerKind, _ promise: Contract) async throws {
    let fixture = try await CheckFixture("s3-\(kind)-\(promise)", note: { (server: S3Server) in server.port })
    {
      try await S3Server.shared(kind)
    }
    let port = fixture.note
    try await promise.check(
      Subject(
        "S3Storage on \(kind)", except: Self.except, expiryResolution: 0.001, hugeValueSize: 6 << 20,
        batchSize: Soak.rounds(60, soak: 300), updatesAcrossProcesses: true
      ) { place in
        var config = S3Config(
          bucket: S3Server.bucket, endpoint: S3Server.endpoint(port), credentials: S3Server.credentials,
          payloadSigning: .unsigned, multipartThreshold: 5 << 20, partSize: 5 << 20)
        config.timeout = .seconds(60)
        return try S3Storage<String>(
          config: config, prefix: String(place.path.dropFirst()), expiry: place.expiry, clock: place.clock)
      }
      .settling { try await Loopback.settled(ports: [port]) })
  }
}
