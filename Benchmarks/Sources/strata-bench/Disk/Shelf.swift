import BenchHarness
import Foundation
import Synchronization

/// A store of one peer with a given number of entries, which can be closed and opened again.
final class Shelf: Sendable {
  let peer: DiskPeer
  let count: Int
  let size: Int
  let folder: URL
  private let store: Mutex<OpenStore?> = Mutex(nil)

  /// Creates the store and fills it.
  init(_ peer: DiskPeer, count: Int, value: Data, in parent: URL) throws {
    self.peer = peer
    self.count = count
    size = value.count
    folder = parent.appending(path: "\(peer)-\(count)")
    try opened().fill(value, Draw(Array(0..<count)))
  }

  /// The name among the contenders.
  var name: String { Self.name(peer, count) }
  static func name(_ peer: DiskPeer, _ count: Int) -> String { "\(peer.rawValue), \(count)" }

  /// Returns the store, after opening it if necessary.
  func opened() throws -> OpenStore {
    try store.withLock { store in
      if let store { return store }
      let opened = try peer.open(in: folder, size: size)
      store = opened
      return opened
    }
  }

  func close() { store.withLock { $0 = nil } }

  /// Opens the store again, with none of its files in the page cache. Opening reads some of them, so they are dropped
  /// again.
  func openCold() throws {
    close()
    try PageCache.drop(folder)
    _ = try opened()
    try PageCache.drop(folder)
  }
}
