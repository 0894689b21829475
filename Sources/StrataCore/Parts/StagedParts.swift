#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A value that is being written to a place of parts. About a megabyte of it is in memory.
package final class StagedParts<Place: PartPlace>: StagedBytes {
  private struct State {
    /// The bytes behind the parts that are stored.
    var tail = Data()
    /// The number of parts that are stored.
    var stored = 0
    var renewal: Date
    /// Whether parts may be stored that belong to no entry.
    var hasParts = false
  }

  private let place: Place
  private let name: Place.Name
  private let expiry: Expiry?
  private let id = ValueID()
  private let state: Locked<State>

  package init(_ place: Place, _ name: Place.Name, _ expiry: Expiry?) {
    (self.place, self.name, self.expiry) = (place, name, expiry)
    state = Locked(State(renewal: place.clock.now))
  }

  private var stored: Int { state.withLock { $0.stored } }
  private var length: Int { state.withLock { $0.stored * place.partSize + $0.tail.count } }

  package func append(_ bytes: Data) async throws {
    try place.checkLength(length + bytes.count, name)
    var rest = bytes
    while !rest.isEmpty {
      // A part of any size may come: no more than a few parts of the store are ever copied.
      let some = rest.prefix(StoredBytes.partSize)
      rest = rest.dropFirst(some.count)
      state.withLock { $0.tail.append(some) }
      // A value of one part is stored without parts, so parts are stored when there is a second one.
      try await store(atLeast: StoredBytes.partSize)
    }
    if state.withLock({ $0.stored > 0 && place.clock.now.timeIntervalSince($0.renewal) > stagingLease / 8 }) {
      try await store([])
    }
  }

  /// Stores the whole parts of the tail if there are enough of them.
  private func store(atLeast count: Int) async throws {
    let size = place.partSize
    let parts = state.withLock { state -> [Data] in
      if state.tail.count < max(count, size + 1) { return [] }
      return (0..<state.tail.count / size).map { state.tail.dropFirst($0 * size).prefix(size) }
    }
    if !parts.isEmpty { try await store(parts) }
  }

  private func store(_ parts: [Data]) async throws {
    let first = stored
    let records = parts.enumerated().map { DividedValue.record($1, number: first + $0, of: id) }
    state.withLock { $0.hasParts = true }
    try await place.store(records, from: first, of: id, name)
    state.withLock { state in
      state.stored += parts.count
      // A copy, so that the memory of the stored parts is freed.
      state.tail = Data(state.tail.dropFirst(parts.reduce(0) { $0 + $1.count }))
      state.renewal = place.clock.now
    }
  }

  package func bytes(at offset: Int, count: Int) async throws -> Data? {
    let (stored, tail) = state.withLock { ($0.stored, $0.tail) }
    let size = place.partSize
    let end = stored * size
    var data = Data()
    let inParts = (offset..<offset + count).clamped(to: 0..<end)
    if !inParts.isEmpty {
      let value = DividedValue(id: id, length: end, partSize: size)
      data = try await value.bytes(inParts, .never, in: place, name).data()
    }
    let start = max(offset, end)
    if start < end + tail.count, offset + count > start {
      data.append(tail.dropFirst(start - end).prefix(offset + count - start))
    }
    return data
  }

  package func commit() async throws {
    let (stored, tail, length) = state.withLock { ($0.stored, $0.tail, $0.stored * place.partSize + $0.tail.count) }
    if stored == 0, tail.count <= place.partSize {
      try await place.commit(tail, name, expiry)
    } else {
      // The last part has the rest of the bytes. The tail stays, so that a commit that failed can be repeated.
      let size = place.partSize
      let records = stride(from: 0, to: tail.count, by: size).map { start in
        DividedValue.record(tail.dropFirst(start).prefix(size), number: stored + start / size, of: id)
      }
      if !records.isEmpty {
        state.withLock { $0.hasParts = true }
        try await place.store(records, from: stored, of: id, name)
      }
      try await place.commit(DividedValue(id: id, length: length, partSize: size), name, expiry)
    }
    state.withLock { $0.hasParts = false }
  }

  package func discard() async {
    let isNeeded = state.withLock { state in
      defer { state.hasParts = false }
      return state.hasParts
    }
    if isNeeded { await place.discard(id, name) }
  }
}

/// The number of seconds for which parts of a value are kept whose writer stores no more of them, by the store's clock.
/// Later, a sweep removes them. It is renewed with every part, and several times as long as a part may take.
package let stagingLease = 3600.0
