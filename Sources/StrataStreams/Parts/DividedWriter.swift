#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A value that is being written to a place of parts. About a megabyte of it is in memory.
package final class DividedWriter<Place: PartPlace>: StagedBytes {
  private struct State {
    /// The records of parts that are not stored yet, with room for their checksums. All but the last are full.
    var pending: [Data] = []
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

  private var size: Int { place.partSize }
  /// The number of parts that are stored at once.
  private var step: Int { max(1, StoredBytes.partSize / size) }
  private var length: Int {
    state.withLock { state in
      state.stored * size + state.pending.reduce(0) { $0 + $1.count - DividedValue.partHead }
    }
  }

  package func append(_ bytes: Data) async throws {
    try place.checkLength(length + bytes.count, name)
    var rest = bytes
    while !rest.isEmpty {
      let isFull = state.withLock { $0.pending.last.map { $0.count == DividedValue.partHead + size } ?? true }
      // Full parts are stored when another one begins: a value of one part is stored without parts.
      if isFull, state.withLock({ $0.pending.count }) >= step {
        try await store(sealedParts())
        state.withLock { state in
          state.stored += state.pending.count
          state.pending = []
        }
      }
      let count = state.withLock { state in
        if isFull { state.pending.append(DividedValue.emptyRecord(size)) }
        let last = state.pending.count - 1
        let count = min(rest.count, DividedValue.partHead + size - state.pending[last].count)
        state.pending[last].append(rest.prefix(count))
        return count
      }
      rest = rest.dropFirst(count)
    }
    let isOld = state.withLock { state in
      state.stored > 0 && place.clock.now.timeIntervalSince(state.renewal) > stagingLease / 8
    }
    if isOld { try await store([]) }
  }

  /// Returns the records of the pending parts, with their checksums.
  private func sealedParts() -> [Data] {
    state.withLock { state in
      for index in state.pending.indices {
        DividedValue.seal(&state.pending[index], number: state.stored + index, of: id)
      }
      return state.pending
    }
  }

  /// Stores parts, or renews the lease of those that are stored.
  private func store(_ records: [Data]) async throws {
    let first = state.withLock { state in
      state.hasParts = true
      return state.stored
    }
    try await place.store(records, from: first, of: id, name)
    state.withLock { $0.renewal = place.clock.now }
    if first / step % 4 == 3 { FreedMemory.giveBack() }
  }

  package func bytes(at offset: Int, count: Int) async throws -> Data? {
    let (stored, pending) = state.withLock { ($0.stored, $0.pending) }
    let end = stored * size
    var data = Data()
    let inParts = (offset..<offset + count).clamped(to: 0..<end)
    if !inParts.isEmpty {
      let value = DividedValue(id: id, length: end, partSize: size)
      data = try await value.bytes(inParts, .never, in: place, name).data()
    }
    for (index, record) in pending.enumerated() {
      let start = end + index * size
      let bytes = record.dropFirst(DividedValue.partHead)
      let wanted = (offset..<offset + count).clamped(to: start..<start + bytes.count)
      if !wanted.isEmpty { data.append(bytes.dropFirst(wanted.lowerBound - start).prefix(wanted.count)) }
    }
    return data
  }

  package func commit(ifAbsent: Bool) async throws -> Bool {
    let length = length
    let only = state.withLock { state in
      state.stored == 0 && state.pending.count < 2
        ? state.pending.first.map { Data($0.dropFirst(DividedValue.partHead)) } ?? Data() : nil
    }
    if let only { return try await place.commit(only, name, expiry, ifAbsent: ifAbsent) }
    // They stay pending, so that a commit that fails, or finds a value, can be repeated.
    try await store(sealedParts())
    let value = DividedValue(id: id, length: length, partSize: size)
    let isStored = try await place.commit(value, name, expiry, ifAbsent: ifAbsent)
    if isStored { state.withLock { $0.hasParts = false } }
    return isStored
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
