public import StrataCore

/// The form in which a chain is drawn.
///
/// ```swift
/// print(users.storageHierarchy(.mermaid))   // To paste into a page of documentation.
/// ```
public enum HierarchyStyle: Sendable {
  /// One line per store, with its inner stores indented below it.
  case tree
  /// A flowchart in Mermaid's language, which many Markdown viewers draw. A store that is used in two places is one
  /// node.
  case mermaid
}

extension StorageDesign {
  /// Returns a drawing of this store and its inner stores.
  ///
  /// ```swift
  /// print(users.storageHierarchy())
  /// // Storage
  /// // └─ SyncStorage
  /// //    └─ TypeWrapperStorage
  /// //       └─ HybridStorage
  /// //          ├─ MemoryStorage
  /// //          └─ DiskStorage
  /// ```
  public func storageHierarchy(_ style: HierarchyStyle = .tree) -> String {
    switch style {
    case .tree: treeLines(of: self).joined(separator: "\n")
    case .mermaid:
      {
        var chart = MermaidChart()
        _ = chart.add(self)
        return (["flowchart TD"] + chart.lines).joined(separator: "\n")
      }()
    }
  }
}

private func treeLines(of storage: any StorageDesign) -> [String] {
  let parts = storage.wrappedStorages
  let below = parts.enumerated().flatMap { index, part in
    let isLast = index == parts.count - 1
    return treeLines(of: part).enumerated().map { line, text in
      (line > 0 ? (isLast ? "   " : "│  ") : (isLast ? "└─ " : "├─ ")) + text
    }
  }
  return [storage.storageName] + below
}

/// The nodes and arrows of a chart, in the order in which they are visited.
private struct MermaidChart {
  private(set) var lines: [String] = []
  private var known: [ObjectIdentifier: String] = [:]
  private var count = 0

  /// Adds a store and its inner stores. Returns the name of its node.
  mutating func add(_ storage: any StorageDesign) -> String {
    // An object is one node wherever it occurs. Structs have no identity, so each occurrence is a node.
    let identity = type(of: storage) is AnyClass ? ObjectIdentifier(storage as AnyObject) : nil
    if let identity, let node = known[identity] { return node }
    count += 1
    let node = "s\(count)"
    if let identity { known[identity] = node }
    lines.append("  \(node)[\"\(storage.storageName.replacing("\"", with: "#quot;"))\"]")
    for part in storage.wrappedStorages {
      let below = add(part)
      lines.append("  \(node) --> \(below)")
    }
    return node
  }
}
