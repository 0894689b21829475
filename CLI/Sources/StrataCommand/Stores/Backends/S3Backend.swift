import StrataS3

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Opens the entries of `S3Storage` in a bucket.
enum S3Backend: StoreBackend {
  static let schemes = ["s3"]
  static let forms = [
    (
      "s3://BUCKET[/PREFIX][?endpoint=URL][&region=NAME][&profile=NAME]",
      "the entries of S3Storage in a bucket; credentials as for AWS's tools"
    )
  ]

  static func open(_ url: StoreURL, _ request: OpenRequest) throws -> OpenStore {
    try url.expect(["endpoint", "region", "profile"])
    try url.refusePassword(
      advice: "give AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to ~/.aws/credentials")
    let (bucket, prefix) = (url.authority, String(url.path.dropFirst(2 + url.authority.count + 1)))
    if bucket.isEmpty { throw Failure.usage("“\(url.text)” names no bucket: write s3://BUCKET/PREFIX") }
    let environment = request.secrets.environment
    func setting(_ name: String, _ variables: String...) -> String? {
      url.parameters[name] ?? variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    var config = S3Config(bucket: bucket)
    if let region = setting("region", "AWS_REGION", "AWS_DEFAULT_REGION") { config.region = region }
    if let endpoint = setting("endpoint", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") {
      guard let address = URL(string: endpoint) else {
        throw Failure.usage("“\(endpoint)” is not the URL of an S3 server, such as http://localhost:9000")
      }
      config.endpoint = address
    }
    if let profile = url.parameters["profile"] { config.credentials = .file(profile: profile) }
    if let timeout = request.timeout {
      config.timeout = .seconds(timeout)
      // Each further attempt would take as long as the first.
      config.attempts = 1
    }
    let store = try S3Storage<String>(config: config, prefix: prefix)
    return OpenStore(
      url: url, kind: "s3", storage: store,
      facts: { [.init(name: "bucket", value: .text(bucket)), .init(name: "prefix", value: .text(prefix))] },
      alternative: "use a lifecycle rule of the bucket, which removes old objects")
  }
}
