import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

@Suite(.endsInTime) struct CredentialsTests {
  private static let file = """
    # a comment
    [default]
    aws_access_key_id = AKIDDEFAULT
    aws_secret_access_key=secret/of=default
    ; another comment
    [ work ]
    aws_access_key_id=AKIDWORK
    aws_secret_access_key =  secret of work\t
    AWS_SESSION_TOKEN = token
    [broken]
    aws_access_key_id = AKIDBROKEN
    """

  private func file() throws -> String {
    let url = TemporaryFolder().url.appending(path: "credentials")
    try Data(Self.file.utf8).write(to: url)
    return url.path(percentEncoded: false)
  }

  private func shared(_ place: S3SharedCredentials.Place, _ environment: [String: String])
    -> S3SharedCredentials
  {
    S3SharedCredentials(place: place, environment: environment)
  }

  @Test func credentialsAreReadFromTheEnvironment() async throws {
    let variables = [
      "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "token",
    ]
    for place in [S3SharedCredentials.Place.environment, .either] {
      let found = try await shared(place, variables).credentials()
      #expect(
        found.accessKeyID == "AKID" && found.secretAccessKey == "secret" && found.sessionToken == "token")
    }
    await #expect(throws: StorageError.invalidConfiguration) {
      try await shared(.environment, [:]).credentials()
    }
    await #expect(throws: StorageError.invalidConfiguration) {
      try await shared(.either, ["AWS_ACCESS_KEY_ID": "AKID"]).credentials()
    }
  }

  @Test func credentialsAreReadFromAFile() async throws {
    let path = try file()
    let first = try await shared(.file(path: path, profile: nil), [:]).credentials()
    #expect(first.accessKeyID == "AKIDDEFAULT" && first.secretAccessKey == "secret/of=default")
    #expect(first.sessionToken == nil)
    let work = try await shared(.file(path: path, profile: "work"), [:]).credentials()
    #expect(work.secretAccessKey == "secret of work" && work.sessionToken == "token")
    let named = try await shared(.either, ["AWS_SHARED_CREDENTIALS_FILE": path, "AWS_PROFILE": "work"])
      .credentials()
    #expect(named.accessKeyID == "AKIDWORK")
    for (file, profile) in [(path, "none"), (path, "broken"), (path + ".none", "default")] {
      let error = await failure {
        _ = try await shared(.file(path: file, profile: profile), [:]).credentials()
      }
      #expect(
        error == .invalidConfiguration && error?.place == file
          && !"\(String(describing: error))".contains("of="))
    }
  }

  @Test func aFunctionIsCalledOnceAndAgainBeforeCredentialsExpire() async throws {
    let asked = Shared(0)
    let time = ManualClock()
    let provider = S3CredentialsClosure.asking {
      asked.change { $0 += 1 }
      return S3Credentials(
        accessKeyID: "AKID\(asked.value)", secretAccessKey: "s", expiration: time.date.addingTimeInterval(600)
      )
    }
    let scripted = try Scripted(now: { time.date }, credentials: provider) { _ in .object("value") }
    defer { scripted.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { _ = try await scripted.store.object(forKey: "k") } }
      try await group.waitForAll()
    }
    #expect(asked.value == 1)
    time.advance(by: 530)
    _ = try await scripted.store.object(forKey: "k")
    #expect(asked.value == 1)
    time.advance(by: 20)
    _ = try await scripted.store.object(forKey: "k")
    #expect(asked.value == 2)
    #expect(scripted.server.received.last?.fields["authorization"]?.contains("AKID2") == true)
  }

  @Test func expiredTokensAreReplacedOnce() async throws {
    let asked = Shared(0)
    let provider = S3CredentialsClosure.asking {
      asked.change { $0 += 1 }
      return S3Credentials(accessKeyID: "AKID", secretAccessKey: "s", sessionToken: "token\(asked.value)")
    }
    let scripted = try Scripted(credentials: provider) { request in
      request.fields["x-amz-security-token"] == "token2" ? .object("value") : .refusal(400, "ExpiredToken")
    }
    defer { scripted.stop() }
    _ = try await scripted.store.object(forKey: "k")
    #expect(asked.value == 2)

    let never = try Scripted(credentials: provider) { _ in .refusal(400, "ExpiredToken") }
    defer { never.stop() }
    let error = await failure { _ = try await never.store.object(forKey: "k") }
    #expect(error == .invalidConfiguration && never.received.count == 2)
  }

  /// Servers decide by their own clocks whether credentials have expired. A clock that is ahead must not make new ones
  /// look expired, since the provider would be asked for each request.
  @Test func credentialsExpireByTheServersClock() async throws {
    let real = Date(timeIntervalSince1970: 784_111_777)
    let asked = Shared(0)
    let provider = S3CredentialsClosure.asking {
      asked.change { $0 += 1 }
      return S3Credentials(
        accessKeyID: "AKID", secretAccessKey: "s", expiration: real.addingTimeInterval(600))
    }
    let scripted = try Scripted(now: { real.addingTimeInterval(7200) }, credentials: provider) { request in
      request.fields["x-amz-date"] == SigningDate(real).second
        ? .object("value")
        : .refusal(403, "RequestTimeTooSkewed", ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
    }
    defer { scripted.stop() }
    for _ in 0..<4 { _ = try await scripted.store.object(forKey: "k") }
    #expect(scripted.received.count == 5)
    #expect(asked.value == 1)
  }

  @Test("a cancelled call does not wait for a provider that hangs, which others still wait for")
  func aHangingProviderHoldsUpNoCancelledCall() async throws {
    let asked = Shared(0)
    let gate = Gate(holding: 1)
    let provider = S3CredentialsClosure.asking {
      asked.change { $0 += 1 }
      await gate.pass()
      return S3Credentials(accessKeyID: "AKID", secretAccessKey: "s")
    }
    let scripted = try Scripted(credentials: provider) { _ in .object("value") }
    defer { scripted.stop() }
    let calls = (0..<3).map { _ in Task { try await scripted.store.object(forKey: "k") } }
    await gate.arrivals(1)
    for call in calls.dropLast() {
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
    }
    gate.open()
    #expect(try await calls[2].value == Data("value".utf8))
    #expect(asked.value == 1)
  }

  /// A line break in a token would begin another field of the request.
  @Test(arguments: ["token\r\nx-amz-acl: public-read", "token\n", "to\u{0}ken"])
  func tokensWithControlCharactersAreNotSent(_ token: String) async throws {
    let credentials = S3Credentials(accessKeyID: "AKID", secretAccessKey: "s", sessionToken: token)
    let scripted = try Scripted(credentials: credentials) { _ in .object("value") }
    defer { scripted.stop() }
    let error = await failure { _ = try await scripted.store.object(forKey: "k") }
    #expect(error == .invalidConfiguration && error?.message.contains("x-amz-security-token") == true)
    #expect(error?.message.contains(token) == false && scripted.received.isEmpty)
  }

  /// Neither errors nor dumps show a secret.
  @Test func errorsAndDumpsShowNoSecret() async throws {
    let secret = "top/secret+key"
    let credentials = S3Credentials(accessKeyID: "AKID", secretAccessKey: secret, sessionToken: secret)
    struct Leaking: Error { let secret: String }
    let scripted = try Scripted(credentials: credentials) { request in
      .init(
        status: 403,
        body:
          "<Error><Code>SignatureDoesNotMatch</Code><StringToSign>\(request.fields["x-amz-security-token"] ?? "")</StringToSign></Error>"
      )
    }
    defer { scripted.stop() }
    let leaking = try Scripted(credentials: S3CredentialsClosure.asking { throw Leaking(secret: secret) }) {
      _ in .init()
    }
    defer { leaking.stop() }
    let lost = try Scripted(attempts: 1, credentials: credentials) { _ in .lost }
    defer { lost.stop() }
    var texts: [String] = []
    for store in [scripted.store, leaking.store, lost.store] {
      let error = await failure { _ = try await store.object(forKey: "k") }
      texts += ["\(String(describing: error))", String(reflecting: error)]
      for value in [error as Any, store as Any, store.client as Any, store.client.config as Any] {
        var text = ""
        dump(value, to: &text)
        texts.append(text)
      }
    }
    texts += [
      "\(credentials)", String(reflecting: credentials), "\(S3Config(bucket: "b", credentials: credentials))",
    ]
    #expect(texts.allSatisfy { !$0.contains(secret) }, "\(texts.filter { $0.contains(secret) })")
    #expect(!texts.contains { $0.contains("Signature=") })
  }
}
