import StrataDisk

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Opens folders of `DiskStorage`, in both layouts.
enum DiskBackend: StoreBackend {
  static let schemes = ["disk"]
  static let forms = [("disk:FOLDER", "a folder of DiskStorage")]

  static func recognizes(path: String) -> Bool { layout(of: path) != nil }

  static func open(_ url: StoreURL, _ request: OpenRequest) throws -> OpenStore {
    try url.expect(["layout"])
    try request.expect(Paths.isFolder(url.path), "folder", at: url.path)
    let found = layout(of: url.path)
    if found == nil, request.access != .create {
      throw Failure(
        .notFound, "notFound", "the folder holds no store of DiskStorage: \(contents(of: url.path))",
        place: url.path)
    }
    let path = Paths.absolute(url.path)
    let (folder, name) = Paths.split(path)
    var config = DiskConfig(
      name: name, directory: URL(filePath: folder, directoryHint: .isDirectory),
      layout: url.parameters["layout"] == "files" || found == .files ? .files : .automatic,
      onDamage: { request.skipped.note($0) })
    config.isReadOnly = request.isReadOnly
    let disk = try DiskStorage<String>(config: config)
    let layout = config.layout
    return OpenStore(
      url: url, kind: "disk", storage: disk, path: path,
      // A large value has a file of its own. All others of the log's layout are in segments.
      mayHaveLarge: { Paths.hasFile(at: path, largerThan: OpenStore.largeSize, except: ".log") },
      facts: {
        let size = disk.totalSize
        return [
          .init(name: "layout", value: .text(layout == .files ? "files" : "log")),
          .init(name: "storeBytes", value: .integer(size)),
        ]
      },
      check: { try disk.verify().map(Finding.init) }, repair: { try disk.repair().map(Finding.init) },
      compact: {
        try disk.removeExpiredObjects()
        try disk.compact()
      })
  }

  /// Returns the layout of the store in a folder, or `nil` if the folder holds no store.
  private static func layout(of path: String) -> DiskLayout? {
    guard Paths.isFolder(path) else { return nil }
    if Paths.head(path + "/control", 6) == Array("StrCtl".utf8) { return .automatic }
    let names = Paths.names(in: path)
    if names.contains(where: {
      $0.hasSuffix(".log") && Paths.head("\(path)/\($0)", 7).starts(with: segmentMagic)
    }) {
      return .automatic
    }
    return names.contains { $0.hasSuffix(".strata") } ? .files : nil
  }

  private static let segmentMagic = [0x89] + Array("StrLog".utf8)

  /// Returns a description of a folder without a store of `DiskStorage`, for the error.
  private static func contents(of path: String) -> String {
    let names = Paths.names(in: path)
    if names.isEmpty { return "it is empty" }
    if let other = Backends.scheme(ofPath: path) { return "it is a store of \(other):" }
    let shown = names.sorted().prefix(3).joined(separator: ", ")
    return "it holds \(names.count == 1 ? "a file" : "\(names.count) files") such as \(shown)"
  }
}

extension Finding {
  fileprivate init(_ finding: DiskFinding) {
    self.init(kind: "\(finding.kind)", place: finding.path, reason: finding.reason, key: finding.key)
  }
}
