import StrataCore
import StrataTestKit

extension Fault {
  static let ofPaging = [
    Fault(.paging, "finds a page by the number of keys before it", "while others write, ") { bent in
      let base = bent.base
      bent.page = { cursor, limit in
        let start: Int = try cursor?.position() ?? 0
        let keys = try await base.keys().sorted()
        let end = min(start + limit, keys.count)
        return KeyPage(
          keys: start < end ? Array(keys[start..<end]) : [], next: end < keys.count ? KeyCursor(end) : nil)
      }
    },
    Fault(.paging, "repeats the last key of the previous page", "pages list \"entry") { bent in
      let base = bent.base
      bent.page = { cursor, limit in
        let first: String = try cursor?.position() ?? ""
        let rest = try await base.keys().sorted().filter { $0 >= first }
        // The last key of a page of one would never be passed.
        let next = rest.count > limit ? rest[max(1, limit - 1)] : nil
        return KeyPage(keys: Array(rest.prefix(limit)), next: next.map { KeyCursor($0) })
      }
    },
    Fault(.paging, "ignores the limit", "a page has 40 keys, and not at most 1") { bent in
      let base = bent.base
      bent.page = { _, _ in KeyPage(keys: try await base.keys(), next: nil) }
    },
    Fault(.paging, "restarts the listing after a write", "pages do not end while others store") { bent in
      let (base, writes) = (bent.base, Shared(0))
      bent.write = { value, key, expiry in
        writes.change { $0 += 1 }
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
      bent.page = { cursor, limit in
        let (last, seen): (String, Int) = try cursor?.position() ?? ("", writes.value)
        let start = seen == writes.value ? last : ""
        let rest = try await base.keys().sorted().filter { $0 > start }
        let keys = Array(rest.prefix(limit))
        let next = rest.count > limit ? keys.last.map { KeyCursor(($0, writes.value)) } : nil
        return KeyPage(keys: keys, next: next)
      }
    },
    Fault(.paging, "ends the listing at a page that is not full", "no page lists") { bent in
      let base = bent.base
      bent.page = { cursor, limit in
        let start: String = try cursor?.position() ?? ""
        let rest = try await base.keys().sorted().filter { $0 > start }
        let keys = Array(rest.prefix(limit))
        return KeyPage(
          keys: keys.count == limit ? keys : [], next: keys.count == limit ? KeyCursor(keys[limit - 1]) : nil)
      }
    },
    Fault(.paging, "lists expired keys", "pages list 41 of 40 keys") { bent in
      let (base, known) = (bent.base, Shared<Set<String>>([]))
      bent.write = { value, key, expiry in
        try await base.setObject(value, forKey: key, expiry: expiry)
        known.change { _ = $0.insert(key) }
      }
      bent.page = { cursor, limit in
        let past = known.value.intersection(["past"])
        if let cursor { return KeyPage(try cursor.position(), limit: limit) }
        return KeyPage((try await base.keys() + past)[...], limit: limit)
      }
    },
    Fault(
      .paging, "keeps the position in the store instead of the cursor",
      "a cursor that is used again gives another page"
    ) { bent in
      let (base, position) = (bent.base, Shared(""))
      bent.page = { cursor, limit in
        let start = cursor == nil ? "" : position.value
        let rest = try await base.keys().sorted().filter { $0 > start }
        let keys = Array(rest.prefix(limit))
        position.change { $0 = keys.last ?? "" }
        return KeyPage(keys: keys, next: rest.count > limit ? KeyCursor(0) : nil)
      }
    },
    Fault(.paging, "returns no entries for a page", "entryPages returns 0 entries") { bent in
      bent.readMany = { _ in [:] }
    },
  ]
}
