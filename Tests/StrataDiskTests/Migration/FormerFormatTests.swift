#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

@testable import StrataDisk

/// A folder in the format before the log: entry files of version 1.
struct FormerFormatTests {
  private static let files = [
    "73c4a368acd5313d57fcbc9a99059114ead9d32f1eb3d26473070b7f184ed8f4.strata":
      "iVN0cmF0YQoBAAAA/TdXEgEAAAAAAAAACgAAAAAAAAACAAAAAAAAAAAACABlze1BeG+0uN9X1xfQsQ3uTvq1k8OpLy4uL/CfmIDD"
      + "qQ==",
    "994ef62a3f93e3d3356a32e2e10687b9f946065ae2f581142d8cbce4bd05b1e2.strata":
      "iVN0cmF0YQoBAAAA/TdXEgEAAAAAAAAALAEAAAAAAAAsAQAAAAAAAAAAAH/DYy1C4Bgv9+2VCyRqaqq0glBaxmxvbmcgbG9uZyBs"
      + "b25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBs"
      + "b25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBs"
      + "b25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBs"
      + "b25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIGxvbmcgbG9uZyBsb25nIAAHDhUcIyoxOD9G"
      + "TVRbYmlwd36FjJOaoaivtr3Ey9LZ4Ofu9fwDChEYHyYtNDtCSVBXXmVsc3qBiI+WnaSrsrnAx87V3OPq8fj/Bg0UGyIpMDc+RUxT"
      + "WmFob3Z9hIuSmaCnrrW8w8rR2N/m7fT7AgkQFx4lLDM6QUhPVl1ka3J5gIeOlZyjqrG4v8bN1Nvi6fD3/gUMExohKC82PURLUllg"
      + "Z251fIOKkZifpq20u8LJ0Nfe5ezz+gEIDxYdJCsyOUBHTlVcY2pxeH+GjZSboqmwt77FzNPa4ejv9v0ECxIZICcuNTxDSlFYX2Zt"
      + "dHuCiZCXnqWss7rByM/W3eTr8vkABw4VHCMqMTg/Rk1UW2JpcHd+hYyTmqGor7a9xMvS2eDn7vX8AwoRGB8mLQ==",
    "a116c9ed46d6207734a43317d30fd88f52ac8634c37d904bbf4e41d865f90475.strata":
      "iVN0cmF0YQoBAAAA/TdXEgAAAAAAAAAABQAAAAAAAAAFAAAAAAAAAAAAAAAAAAAAGrmZ5w9DFRtiQlXI6PquCHBsYWlucGxhaW4=",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.strata":
      "iVN0cmF0YQoBAAAA/TdXEgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAmenYUTfbRu+bDmqseb5tMw==",
    "fa64ea1e82e1206f828ab2a02917c7e92accb98e3b95881a1b4ad52b914b66e3.strata":
      "iVN0cmF0YQoBAAAA/TdXEgEAAAAAAAAABwAAAAAAAAADAAAAAAAAAAAAAAAARI9AFECGbMN7RAsGriEyFexgmGV4cGlyZWRvbGQ=",
  ]

  private static let long = String(repeating: "long ", count: 60)
  private static let entries: [String: Entry<Data>] = [
    "plain": Entry(object: text("plain")),
    "": Entry(object: Data()),
    "\u{E9}/../\u{1F600}": Entry(
      object: text("\u{E9}"), expiry: .date(Date(timeIntervalSinceReferenceDate: 4_000_000_000.25))),
    "expired": Entry(object: text("old"), expiry: .date(Date(timeIntervalSinceReferenceDate: 1000.5))),
    long: Entry(
      object: Data((0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }), expiry: .date(.distantFuture)),
  ]

  private func folder(_ layout: DiskLayout) throws -> TestFolder {
    let folder = try TestFolder(layout)
    try FileManager.default.createDirectory(at: folder.store, withIntermediateDirectories: true)
    for (name, bytes) in Self.files {
      try #require(Data(base64Encoded: bytes)).write(to: folder.store.appending(path: name))
    }
    return folder
  }

  @Test(arguments: [DiskLayout.automatic, .packed, .files], [0, 1_000_000] as [UInt])
  func itOpensWithAllEntriesAndTheirExpiries(_ layout: DiskLayout, _ maxSize: UInt) throws {
    let folder = try folder(layout)
    let disk = try folder.open(maxSize: maxSize)
    for (key, entry) in Self.entries {
      let found = try #require(try disk.entryIfPresent(forKey: key))
      #expect(found.object == entry.object)
      #expect(found.expiry == entry.expiry)
      #expect(try disk.expiryIfPresent(forKey: key) == entry.expiry)
    }
    #expect(try Set(disk.keys()) == Set(Self.entries.keys).subtracting(["expired"]))
    #expect(try disk.verify() == [])
    try disk.removeExpiredObjects()
    #expect(try folder.open().entryIfPresent(forKey: "expired") == nil)
    #expect(folder.damage.all == [])
  }

  /// Lists the keys of old files before any entry is read.
  @Test(arguments: [DiskLayout.automatic, .packed, .files])
  func itListsItsKeysFirst(_ layout: DiskLayout) throws {
    let folder = try folder(layout)
    #expect(try Set(folder.open().keys()) == Set(Self.entries.keys).subtracting(["expired"]))
    #expect(try folder.names().count(where: EntryName.isEntry) == (layout == .files ? 5 : 0))
  }

  /// Entries of each layout are kept when the folder is opened with the other packed layout, and back again.
  @Test func otherLayoutsMayFollow() throws {
    let folder = try folder(.automatic)
    let layouts: [DiskLayout] = [.automatic, .packed, .automatic]
    for (number, layout) in layouts.enumerated() {
      let disk = try TestFolder(layout, over: folder).open()
      try disk.setObject(bytes(100_000, seed: number), forKey: "large \(number)", expiry: nil)
      for earlier in 0...number {
        let entry = try disk.entry(forKey: "large \(earlier)")
        #expect(entry.object == bytes(100_000, seed: earlier))
        #expect((entry.filePath != nil) == (layouts[earlier] == .automatic))
      }
      for (key, entry) in Self.entries {
        #expect(try disk.entryIfPresent(forKey: key)?.object == entry.object)
      }
      #expect(try disk.verify() == [])
    }
  }
}
