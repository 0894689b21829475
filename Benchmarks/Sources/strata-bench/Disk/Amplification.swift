import BenchHarness
import Foundation

/// The cost of many overwrites in bytes: the final size of the files, and the bytes written meanwhile.
struct Amplification {
  let count: Int
  let overwrites: Int
  private let values = Values(51, size: 1_000)

  init(isQuick: Bool) {
    count = isQuick ? 200 : 5_000
    overwrites = isQuick ? 400 : 50_000
  }

  func measure(_ report: inout Report) throws {
    Progress.say("disk: amplification")
    var table = Table(["store", "bytes on the disk, ratio", "bytes written, ratio"])
    let draws = (0..<50).map { Draw(overwrites / 50, of: count, seed: $0) }
    let size = Double(values.first.count + (draws[0].keys.first?.utf8.count ?? 0))
    for peer in [DiskPeer.disk, .sqlite, .lmdb, .rocksdb] {
      try withTemporaryFolder { folder in
        let shelf = try Shelf(peer, count: count, value: values.first, in: folder)
        let before = Self.bytesWritten
        for (number, draw) in draws.enumerated() {
          Sink.absorb(try shelf.opened().write(values[number + 1], draw, 0))
        }
        let after = Self.bytesWritten
        let written = before.flatMap { before in
          after.map { Double($0 - before) / (Double(overwrites) * size) }
        }
        let taken = Double(Self.bytesTaken(shelf.folder)) / (Double(count) * size)
        table.add([.text(peer.rawValue), .ratio(taken), written.map { .ratio($0) } ?? .none])
        shelf.close()
      }
    }
    report.add(
      "Amplification",
      """
      \(Cell.count(count).shown) entries of 1 kB, and \(Cell.count(overwrites).shown) puts over them, drawn uniformly: the bytes that the files then \
      take on the disk against those of keys and values, and the bytes given to the system to write against those of the puts. \
      Nothing limits the stores, and none was told to tidy up.
      """, table: table)
  }

  /// The bytes that this process has written through system calls, if the system counts them.
  private static var bytesWritten: Int? {
    let text = FileManager.default.contents(atPath: "/proc/self/io").map {
      String(decoding: $0, as: UTF8.self)
    }
    let line = text?.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst("wchar: ".count)) }
  }

  /// The bytes that all files in a folder take on the disk.
  static func bytesTaken(_ folder: URL) -> Int {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var sum = 0
    while let file = files?.nextObject() as? URL {
      var status = stat()
      if lstat(file.path, &status) == 0 { sum += Int(status.st_blocks) * 512 }
    }
    return sum
  }
}
