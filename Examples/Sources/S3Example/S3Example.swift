import Foundation
import Strata
import StrataS3

/// Forecasts are kept in memory, on disk and in a bucket. Other machines read them instead of computing them again.
///
///     S3Example                                     starts moto's server, if it is installed
///     S3Example my-bucket eu-central-1              uses a bucket of AWS, with credentials as AWS's own tools
///     S3Example my-bucket us-east-1 http://host:9000
@main
struct S3Example {
  struct Forecast: Codable, Sendable {
    var city: String
    var degrees: Double
  }

  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    var server: LocalServer?
    defer { server?.end() }
    var config: S3Config
    if let bucket = words.first {
      config = S3Config(bucket: bucket, region: words.count > 1 ? words[1] : "us-east-1")
      if words.count > 2 { config.endpoint = URL(string: words[2]) }
    } else {
      guard let local = try await LocalServer() else {
        return print(
          "moto's server is not installed: run `make test FILTER=S3`, or give the name of a bucket.")
      }
      server = local
      config = local.config
    }

    let folder = FileManager.default.temporaryDirectory.appending(path: "strata-s3-\(UUID().uuidString)")
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(error)") }
    }
    let client = try S3Client(config: config)
    let bucket = try S3Storage<String>(client: client, prefix: "forecasts", expiry: .seconds(3600))

    // Two machines, each with its own memory and disk in front of the bucket.
    func machine(_ name: String) throws -> AsyncStorage<String, Forecast> {
      let disk = try DiskStorage<String>(config: DiskConfig(name: name, directory: folder))
      return AsyncStorage(
        front: HybridStorage(front: MemoryStorage(config: MemoryConfig()), back: disk), back: bucket,
        transformer: .codable(Forecast.self).zlib())
    }
    let (one, other) = (try machine("one"), try machine("other"))
    try await one.setObject(Forecast(city: "Reykjavík", degrees: 4.5), forKey: "reykjavik/today")
    let forecast = try await other.object(forKey: "reykjavik/today")
    print("The other machine reads \(forecast.degrees) degrees for \(forecast.city), from the bucket.")
    print("In the bucket: \(try await bucket.keys())")

    // A file of any size is transferred in parts, so that it is never in memory as a whole.
    let map = folder.appending(path: "map")
    try Data(repeating: 7, count: 20 << 20).write(to: map)
    try await bucket.importObject(from: map, forKey: "map")
    try await bucket.exportObject(forKey: "map", to: folder.appending(path: "copy"))
    print("A file of 20 MiB went up and down.")
    try await bucket.removeAll()
  }
}
