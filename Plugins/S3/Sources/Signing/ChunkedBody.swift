#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A body in chunks, each with its own signature, in the encoding `aws-chunked`.
enum ChunkedBody {
  /// The value that the signature of the request has in place of the body's hash.
  static let payload = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
  static let chunkSize = 64 << 10

  /// Returns the encoded body; `seed` is the signature of the request.
  static func encoded(
    _ body: Data, _ signer: SignatureV4, seed: String, chunkSize: Int = chunkSize
  ) -> Data {
    var encoded = Data(capacity: encodedCount(body.count, chunkSize: chunkSize))
    var signature = seed
    var rest = body[...]
    var isLast = false
    while !isLast {
      let chunk = rest.prefix(chunkSize)
      rest = rest.dropFirst(chunk.count)
      // An empty chunk ends the body.
      isLast = chunk.isEmpty
      signature = signer.signature(ofChunk: chunk.withUnsafeBytes { SHA256.hash($0) }, after: signature)
      encoded.append(contentsOf: "\(String(chunk.count, radix: 16));chunk-signature=\(signature)\r\n".utf8)
      encoded.append(chunk)
      encoded.append(contentsOf: "\r\n".utf8)
    }
    return encoded
  }

  /// Returns the number of bytes of an encoded body.
  static func encodedCount(_ count: Int, chunkSize: Int = chunkSize) -> Int {
    func size(_ count: Int) -> Int {
      count + String(count, radix: 16).utf8.count + ";chunk-signature=".utf8.count + 64 + 4
    }
    let (whole, rest) = count.quotientAndRemainder(dividingBy: chunkSize)
    return whole * size(chunkSize) + (rest > 0 ? size(rest) : 0) + size(0)
  }
}
