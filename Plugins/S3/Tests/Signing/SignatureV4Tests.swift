import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

@Suite struct SignatureV4Tests {
  @Test(arguments: SignatureVector.suite)
  func signsAsTheSuite(_ vector: SignatureVector) {
    let signer = SignatureV4(
      credentials: S3Credentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
      region: "us-east-1", service: "service", date: SigningDate(Date(timeIntervalSince1970: 1_440_938_160)))
    #expect(
      signature(of: vector, by: signer, host: "example.amazonaws.com") == vector.signature,
      "of \(SignatureV4.Canonical(message(vector, signer, host: "example.amazonaws.com")).text)")
  }

  @Test(arguments: SignatureVector.s3)
  func signsAsTheExamplesOfS3(_ vector: SignatureVector) {
    let host = "examplebucket.s3.amazonaws.com"
    let (field, signature) = Self.s3.authorization(of: message(vector, Self.s3, host: host))
    #expect(signature == vector.signature)
    #expect(
      field.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ")
    )
    #expect(field.contains("SignedHeaders=") && field.hasSuffix(", Signature=\(vector.signature)"))
  }

  /// AWS's example of a chunked upload: 66 560 letters in chunks of 64 KiB.
  @Test func signsChunksAsTheExample() {
    let message = SignatureV4.Message(
      method: "PUT", path: "/examplebucket/chunkObject.txt",
      fields: [
        ("Host", "s3.amazonaws.com"), ("x-amz-date", "20130524T000000Z"),
        ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ("x-amz-content-sha256", ChunkedBody.payload), ("Content-Encoding", "aws-chunked"),
        ("x-amz-decoded-content-length", "66560"), ("Content-Length", "66824"),
      ], payload: ChunkedBody.payload)
    let seed = Self.s3.authorization(of: message).signature
    #expect(seed == "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9")
    let body = Data(repeating: UInt8(ascii: "a"), count: 66_560)
    let encoded = ChunkedBody.encoded(body, Self.s3, seed: seed)
    #expect(encoded.count == 66_824 && ChunkedBody.encodedCount(body.count) == 66_824)
    for signature in [
      "10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n",
      "\r\n400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n",
      "\r\n0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n",
    ] {
      #expect(encoded.range(of: Data(signature.utf8)) != nil, "\(signature)")
    }
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
  func knowsTheLengthOfABodyInChunks(_ count: Int) {
    let body = Data(repeating: 1, count: count)
    #expect(ChunkedBody.encoded(body, Self.s3, seed: "").count == ChunkedBody.encodedCount(count))
  }

  private static let s3 = SignatureV4(
    credentials: S3Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1", date: SigningDate(Date(timeIntervalSince1970: 1_369_353_600)))

  private func message(_ vector: SignatureVector, _ signer: SignatureV4, host: String) -> SignatureV4.Message
  {
    .init(
      method: vector.method, path: vector.path, query: vector.query,
      fields: vector.fields + [("Host", host), ("X-Amz-Date", signer.date.second)], payload: vector.payload)
  }

  private func signature(of vector: SignatureVector, by signer: SignatureV4, host: String) -> String {
    signer.authorization(of: message(vector, signer, host: host)).signature
  }
}
