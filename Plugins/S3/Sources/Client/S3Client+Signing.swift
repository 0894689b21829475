#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension S3Client {
  /// Returns the signature for requests that are sent in this second.
  func signer() async throws -> SignatureV4 {
    let date = serverDate
    let second = SigningDate.seconds(of: date)
    // Servers decide by their own clocks whether credentials have expired.
    let credentials = try await credentials.current(at: date)
    return lastSigner.withLock { last in
      if let last, last.isSigned(by: credentials, inSecond: second) { return last }
      let signer = SignatureV4(
        credentials: credentials, region: config.region, date: SigningDate(second), after: last)
      last = signer
      return signer
    }
  }

  /// The date by the server's clock, as far as it is known to differ from this machine's.
  var serverDate: Date { now().addingTimeInterval(skew.withLock { $0 }) }

  /// Corrects the clock, or discards the credentials, if the response says that either is wrong. Returns whether the
  /// request should be signed and sent again.
  func renew(after response: S3Response, _ signer: SignatureV4) async throws -> Bool {
    guard [400, 401, 403].contains(response.status) else { return false }
    // A response without a body has no error code. Its date then decides whether the clock is wrong.
    let code = response.failure.code
    if ["RequestTimeTooSkewed", "RequestExpired", ""].contains(code),
      let theirs = HTTPDate.parse(response["Date"])
    {
      let ahead = theirs.timeIntervalSince(now())
      let isNew = skew.withLock { skew in
        let isNew = abs(ahead - skew) > 60
        if isNew { skew = ahead }
        return isNew
      }
      if isNew { return true }
    }
    guard ["ExpiredToken", "TokenRefreshRequired"].contains(code) else { return false }
    credentials.forget(signer.credentials)
    return true
  }

  /// Returns the signed request.
  func webRequest(_ request: S3Request, _ signer: SignatureV4) throws -> WebRequest {
    let path = address.path(of: request.name)
    guard let url = address.url(path, query: request.query) else {
      throw StorageError.invalidConfiguration.with(
        "the address is not a valid URL: \(address.place(of: request.name))", place: address.place(of: nil))
    }
    let (fields, body) = signed(request, path, signer)
    if let field = fields.first(where: { !Encoding.isFieldValue($0.value) }) {
      throw StorageError.invalidConfiguration.with(
        "the field \(field.name) of the request would contain a control character: check the credentials",
        place: address.place(of: request.name))
    }
    // `Host` is added from the URL.
    return WebRequest(
      method: request.method, url: url.absoluteString, fields: fields.filter { $0.name != "Host" },
      body: body, isRepeatable: request.repetition == .always)
  }

  /// Returns the fields and the body of a request, with the signature added.
  private func signed(_ request: S3Request, _ path: String, _ signer: SignatureV4) -> (
    fields: [(name: String, value: String)], body: Data?
  ) {
    let body = request.body ?? Data()
    let isChunked = config.payloadSigning == .chunked && request.method == "PUT" && !body.isEmpty
    let isUnsigned =
      config.payloadSigning == .unsigned || config.payloadSigning == .automatic && address.scheme == "https"
    let payload =
      if body.isEmpty { Encoding.hashOfNothing } else if isChunked { ChunkedBody.payload } else if isUnsigned
      {
        "UNSIGNED-PAYLOAD"
      } else { Encoding.hex(body.withUnsafeBytes { SHA256.hash($0) }) }
    var fields = request.fields
    fields.append(("Host", address.host))
    fields.append(("x-amz-date", signer.date.second))
    fields.append(("x-amz-content-sha256", payload))
    if let token = signer.credentials.sessionToken { fields.append(("x-amz-security-token", token)) }
    if isChunked {
      // The optional `Content-Encoding: aws-chunked` is omitted: some servers store it with the object.
      fields.append(("x-amz-decoded-content-length", "\(body.count)"))
    }
    // Without this field, Apple's URLSession would add the content type of a form, which would not be signed.
    if !body.isEmpty, !fields.contains(where: { $0.name == "Content-Type" }) {
      fields.append(("Content-Type", "application/octet-stream"))
    }
    let message = SignatureV4.Message(
      method: request.method, path: path, query: request.query, fields: fields, payload: payload)
    let (authorization, seed) = signer.authorization(of: message)
    fields.append(("Authorization", authorization))
    if isChunked { return (fields, ChunkedBody.encoded(body, signer, seed: seed)) }
    return (fields, request.body)
  }
}
