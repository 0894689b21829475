#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The folder `Floppy` as Cache 7 by hyperoslo wrote it on Linux: 18 files with their names, contents and modification
/// times. The times are the expiries, in seconds since 1970.
package enum CacheFolder {
  /// The keys of entries stored as data. Each value is the key's own UTF-8, and never expires.
  package static let dataKeys = [
    "raw", "https://www.google.com", "https://example.com/a.png", "video.mp4", ".hidden", "dir/", "a/b.c/",
    "x.", "a.b c",
    "photo.JPG?size=2", "..", "a..b", "/", "ünï.cödé", "x.ab/y",
  ]
  /// The keys of entries stored as `User(firstName: "John", lastName: "Snow")`, with their expiry dates. All dates are
  /// past, except that `user` never expires.
  package static let userKeys: [(key: String, expiry: Double?)] = [
    ("user", nil), ("hour", 1_795_314_159), ("past", 1_795_310_549),
  ]

  package static let files: [(name: String, contents: String, modified: Double)] = [
    (
      #"0C9D17C72A67182B81A102CCE455774E.b"#,
      #"a..b"#, 2144448000
    ),
    (
      #"56FF2CC46888B27C1082651EFFD93151.JPG?size=2"#,
      #"photo.JPG?size=2"#, 2144448000
    ),
    (
      #"58B9E70B65A77700BA66E9C64D6B9F89"#,
      #".."#, 2144448000
    ),
    (
      #"5EF9A582CEF4FCA99C7D5838F7CC3C6A.cödé"#,
      #"ünï.cödé"#, 2144448000
    ),
    (
      #"642FB56F52A42EA4B43B634172BC3974.c"#,
      #"a/b.c/"#, 2144448000
    ),
    (
      #"6666CD76F96956469E7BE39D750CC7D9"#,
      #"/"#, 2144448000
    ),
    (
      #"68E2D83709F317938B51E53F7552ED04"#,
      #"{"object":{"lastName":"Snow","firstName":"John"}}"#, 1795310549
    ),
    (
      #"6B96AB441BAB2F8D5022C57FFB17136E"#,
      #".hidden"#, 2144448000
    ),
    (
      #"896C55CC5E46FAB38CE9F51EBF7BFCD3"#,
      #"{"object":{"lastName":"Snow","firstName":"John"}}"#, 1795314159
    ),
    (
      #"8C11D92F07C76BAF29E49AFD2301DEB2.png"#,
      #"https://example.com/a.png"#, 2144448000
    ),
    (
      #"8FFDEFBDEC956B595D257F0AAEEFD623.com"#,
      #"https://www.google.com"#, 2144448000
    ),
    (
      #"9D66725BA2105F1833731ADE5B7F334E.mp4"#,
      #"video.mp4"#, 2144448000
    ),
    (
      #"A31E441CB3888C8DCE1048FB6270E086"#,
      #"dir/"#, 2144448000
    ),
    (
      #"BDD166AF3A63F7BE696DD17A218A6FFB"#,
      #"raw"#, 2144448000
    ),
    (
      #"EAB934F8A5B18A8F0F710E8D33672AEA"#,
      #"x.ab/y"#, 2144448000
    ),
    (
      #"EE11CBB19052E40B07AAC0CA060C23EE"#,
      #"{"object":{"lastName":"Snow","firstName":"John"}}"#, 2144448000
    ),
    (
      #"F012C21873B1143491599BAFB13F6D66.b c"#,
      #"a.b c"#, 2144448000
    ),
    (
      #"FD3500A59568EE1C126A5E50C6BC8B91"#,
      #"x."#, 2144448000
    ),
  ]

  /// Writes the files to a folder, with their modification times.
  package static func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in files {
      let url = folder.appending(path: file.name)
      try Data(file.contents.utf8).write(to: url)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: file.modified)], ofItemAtPath: url.path)
    }
  }
}
