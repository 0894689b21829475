import Foundation
import StrataCBOR
import StrataCore
import StrataDisk
import StrataLZ4
import StrataLoading
import StrataSodium
import StrataZlib
import StrataZstd
import Testing

@testable import StrataCommand

/// Tests that `get` decodes values as chains of stores write them: compressed, encrypted, loaded.
@Suite struct ValueTests {
  struct City: Codable, Sendable {
    var name: String
    var people: Int
  }

  private static let city = City(name: "Lisbon", people: 545_000)
  private static let json = #"{"name":"Lisbon","people":545000}"#

  private func disk(_ strata: Strata) throws -> DiskStorage<String> {
    try DiskStorage<String>(config: DiskConfig(name: "s", directory: strata.place))
  }

  @Test(arguments: ["zlib", "zstd", "lz4", "none"]) func compressedValuesAreRead(_ method: String)
    async throws
  {
    try await inFolder { strata in
      let long = City(name: String(repeating: "Lisbon ", count: 50), people: 1)
      let plain = Transformer<City>.codable(City.self)
      let compressed: Transformer<City> =
        switch method {
        case "zlib": plain.zlib()
        case "zstd": plain.zstd()
        case "lz4": plain.lz4()
        default: plain
        }
      let store = try disk(strata).transform(to: compressed)
      try store.setObject(long, forKey: "long")
      try store.setObject(Self.city, forKey: "short")
      #expect(try JSON(json: strata("get", "disk:s", "long").bytes)["name"] == .text(long.name))
      #expect(try JSON(json: strata("get", "disk:s", "short").bytes)["people"] == .integer(545_000))
      let json = try JSON(json: strata("get", "disk:s", "long", "--json").bytes)
      #expect(json["layers"] == .array(method == "none" ? [] : [.text(method)]))
      #expect(json["format"] == .text("json"))
      let stored = try disk(strata).object(forKey: "long")
      #expect(try strata("get", "disk:s", "long", "--stored").bytes == stored)
    }
  }

  @Test func otherFormatsAreShownAsJSON() async throws {
    try await inFolder { strata in
      try disk(strata).transform(to: .cbor(City.self)).setObject(Self.city, forKey: "cbor")
      try disk(strata).setObject(PropertyListEncoder().encode(Self.city), forKey: "plist")
      for format in ["cbor", "plist"] {
        let shown = try strata("get", "disk:s", format, "--as", format)
        #expect(try JSON(json: shown.bytes).compact == Self.json, "\(shown.errors)")
        let json = try JSON(json: strata("get", "disk:s", format, "--json").bytes)
        #expect(json["format"] == .text(format == "plist" ? "plist" : "cbor"))
        #expect(try strata("get", "disk:s", format).bytes == disk(strata).object(forKey: format))
      }
      #expect(try strata("get", "disk:s", "plist", "--as", "cbor").status == 1)
    }
  }

  @Test func encryptedValuesNeedTheirKey() async throws {
    try await inFolder { strata in
      let key = try SecretKey()
      try key.write(toFile: strata.place.appending(path: "key").path)
      let plain = Transformer<City>.codable(City.self)
      try disk(strata).encrypted(with: key, domain: "cities").transform(to: plain.zstd())
        .setObject(Self.city, forKey: "store")
      try disk(strata).transform(to: plain.zlib().encrypted(with: key)).setObject(Self.city, forKey: "step")
      for (key, domain) in [("store", "cities"), ("step", "")] {
        let unread = try strata("get", "disk:s", key)
        #expect(unread.status == 0 && unread.errors.contains("--key-file"))
        let read = try strata("get", "disk:s", key, "--key-file", "key", "--domain", domain)
        #expect(try JSON(json: read.bytes)["name"] == .text("Lisbon"), "\(read.errors)")
      }
      #expect(try strata("get", "disk:s", "store", "--key-file", "key").errors.contains("cannot be read"))
    }
  }

  /// A chain that is written a part at a time compresses or encrypts each part by itself.
  @Test func compressedStreamsAreRead() async throws {
    try await inFolder { strata in
      let value = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
      let plain = Transformer<Data>.data
      for (key, transformer) in [("zstd", plain.zstd()), ("lz4", plain.lz4()), ("zlib", plain.zlib())] {
        try await disk(strata).transform(to: transformer).write(forKey: key, from: StoredBytes(value))
        let read = try strata("get", "disk:s", key, "--as", "raw")
        #expect(read.bytes == value, "\(key): \(read.errors)")
        let json = try JSON(json: strata("get", "disk:s", key, "--json").bytes)
        #expect(json["layers"] == .array([.text("written in parts")]))
      }
      let secret = plain.encrypted(with: try SecretKey())
      try await disk(strata).transform(to: secret).write(forKey: "secret", from: StoredBytes(value))
      let unread = try strata("get", "disk:s", "secret", "--as", "raw")
      #expect(unread.status == 0 && unread.errors.contains("looks written in parts, but cannot be read"))
    }
  }

  @Test func headersOfLoadingStoresAreRemoved() async throws {
    try await inFolder { strata in
      let store = try disk(strata).transform(to: Transformer<City>.codable(City.self).cached())
      let date = Date(timeIntervalSince1970: 4_000_000_000)
      try store.setObject(Cached(Self.city, freshUntil: date), forKey: "lisbon")
      let read = try strata("get", "disk:s", "lisbon", "--json")
      let json = try JSON(json: read.bytes)
      #expect(json["layers"] == .array([.text("loaded")]), "\(read.errors)")
      #expect(json["freshUntil"] == .text("2096-10-02T07:06:40Z"))
      guard case .text(let text)? = json["value"]?["text"] else {
        Issue.record("no text: \(json)")
        return
      }
      #expect(try JSON(json: text.utf8)["name"] == .text("Lisbon"))
    }
  }
}
