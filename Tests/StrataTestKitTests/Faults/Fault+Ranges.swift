import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofRanges = [
    inParts(.ranges, "begins one byte too late", "wrong bytes from position") { store, _ in
      read(&store) { data, part in
        (data.dropFirst(part.lowerBound + min(1, part.lowerBound)) + [0]).prefix(part.count)
      }
    },
    inParts(.ranges, "begins where a part begins", "wrong bytes from position") { store, _ in
      read(&store) { data, part in data.dropFirst(part.lowerBound / 4096 * 4096).prefix(part.count) }
    },
    inParts(.ranges, "omits the last byte of the value", "it threw") { store, _ in
      read(&store) { data, part in data.dropLast().dropFirst(part.lowerBound).prefix(part.count) }
    },
    inParts(.ranges, "gives one byte too many", "it threw") { store, _ in
      read(&store) { data, part in data.dropFirst(part.lowerBound).prefix(part.count + 1) }
    },
    inParts(.ranges, "throws behind the end", "it threw") { store, _ in
      let (base, open) = (store.base, store.open)
      store.open = { key, range in
        if let range, let count = try await base.objectIfPresent(forKey: key)?.count, range.upperBound > count
        {
          throw StorageError.backendFailed.with("416 Range Not Satisfiable")
        }
        return try await open(key, range)
      }
    },
    inParts(.ranges, "says that the range is all", "gives the range") { store, _ in
      let open = store.open
      store.open = { key, range in
        guard let bytes = try await open(key, range), range != nil else { return try await open(key, range) }
        return StoredBytes(try await bytes.data(), expiry: bytes.expiry)
      }
    },
    inParts(.ranges, "reads the same bytes for each range of a stream", "reading(") { store, _ in
      let base = store.base
      store.open = { key, range in
        guard let entry = try await base.read(key, []) else { return nil }
        let start = range?.lowerBound ?? 0
        return StoredBytes(length: entry.object.count, range: range, expiry: entry.expiry) { range in
          var rest = entry.object.dropFirst(start).prefix(range.count)
          return {
            defer { rest = Data() }
            return rest
          }
        }
      }
    },
    inParts(.ranges, "finds ranges of absent keys", "a range of an absent key is found") { store, _ in
      let open = store.open
      store.open = { key, range in
        let bytes = try await open(key, range)
        return bytes == nil && range != nil ? StoredBytes(Data(), range: range) : bytes
      }
    },
  ]

  /// Replaces how the bytes of a part are found in a value.
  private static func read(
    _ store: inout InParts, _ read: @escaping @Sendable (Data, Range<Int>) -> Data
  ) {
    let base = store.base
    store.open = { key, range in
      guard let entry = try await base.read(key, []) else { return nil }
      return InParts.stream(entry.object, range, entry.expiry) { read(entry.object, $0) }
    }
  }
}
