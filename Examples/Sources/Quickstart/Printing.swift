import Foundation
import Strata

/// Prints the changes of a store.
final class Announcer: Sendable {
  func announce(_ change: StorageChange<String>) {
    switch change {
    case .add(let key): line("stored", key)
    case .remove(let key): line("removed", key)
    case .removeAll: line("removed", "everything")
    case .removeExpired: line("removed", "what had expired")
    case .removeInMemory(let key): line("left memory", key)
    }
  }
}

func title(_ text: String) { print("\n\(text)\n") }

func line(_ label: String, _ text: String) { print("  \(left(label, 16))\(text)") }

/// Prints a store and all stores below it, as a tree.
func printHierarchy(of storage: some StorageDesign) {
  for line in storage.storageHierarchy().split(separator: "\n") { print("  \(line)") }
}

/// Prints the contents of memory and disk, and the bytes saved by compression.
func printTiers(_ memory: MemoryStorage<String, TypeWrapper>, _ disk: DiskStorage<String>) throws {
  let json = disk.transform(to: .data.zlib())
  row("key", "in memory", "file on disk", "JSON", "compressed")
  for key in try disk.keys().sorted() {
    let entry = try disk.entry(forKey: key)
    row(
      key, memory.peek(forKey: key) == nil ? "no" : "yes", entry.filePath.map(shortName) ?? "-",
      "\(try json.object(forKey: key).count) B", "\(entry.object.count) B")
  }
}

private func row(_ key: String, _ memory: String, _ file: String, _ json: String, _ compressed: String) {
  print("  \(left(key, 10))\(left(memory, 12))\(left(file, 18))\(right(json, 7))\(right(compressed, 13))")
}

/// Returns the shortened name of a file, which is a hash of its key.
private func shortName(_ path: String) -> String {
  "\(URL(filePath: path).lastPathComponent.prefix(8))….strata"
}

private func left(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

private func right(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(1, width - text.count)) + text
}
