import StrataCore

/// A page of the names of objects.
struct ListPage: Sendable {
  var names: [String]
  /// The token with which the next page is requested, or `nil` on the last page.
  var next: String?
}

extension S3Client {
  /// Lists the objects whose names begin with a prefix and have no slash after it, in the order of their bytes.
  func list(prefix: String, after token: String?, limit: Int) async throws -> ListPage {
    var query = [
      (name: "list-type", value: "2"), ("prefix", prefix), ("delimiter", "/"), ("encoding-type", "url"),
      ("max-keys", "\(max(1, min(limit, 1000)))"),
    ]
    if let token { query.append(("continuation-token", token)) }
    let response = try await send(S3Request(method: "GET", query: query))
    let result = try response.document("ListBucketResult")
    knowledge.withLock { $0.exists = true }
    let isEncoded = result["EncodingType"]?.text == "url"
    let names = result.all("Contents").compactMap { entry -> String? in
      guard let name = entry["Key"]?.text else { return nil }
      if !isEncoded { return name }
      // Responses may encode a space as a plus sign. A plus sign itself is percent-encoded.
      let text = name.replacing("+", with: " ")
      return Encoding.unescaped(text, with: "%").flatMap { String(validating: $0, as: UTF8.self) }
    }
    if result["IsTruncated"]?.text != "true" { return ListPage(names: names, next: nil) }
    guard let next = result["NextContinuationToken"]?.text, !next.isEmpty, next != token else {
      throw response.foreign("the list is incomplete, and has no new continuation token")
    }
    return ListPage(names: names, next: next)
  }
}
