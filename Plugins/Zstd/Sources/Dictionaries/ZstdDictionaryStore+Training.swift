import StrataCompression

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ZstdDictionaryStore {
  func wrote(_ data: Data, as count: Int, level: Int) {
    guard training.values != nil else { return }
    guard let samples = state.withLock({ $0.schedule?.note(data, writtenAs: count) }) else { return }
    background { self.train(on: samples, level: level) }
  }

  private func train(on samples: [Data], level: Int) {
    let outcome: ZstdTraining.Outcome
    do { outcome = try trained(on: samples, level: level) } catch { outcome = .failed(error) }
    let hasSwitched = if case .switched = outcome { true } else { false }
    state.withLock { $0.schedule?.end(hasSwitched: hasSwitched) }
    training.onEnd?(outcome)
  }

  /// Trains on four fifths of the samples, and evaluates on the rest.
  private func trained(on samples: [Data], level: Int) throws -> ZstdTraining.Outcome {
    let judging = samples.indices.filter { $0 % 5 == 4 }.map { samples[$0] }
    let teaching = samples.indices.filter { $0 % 5 != 4 }.map { samples[$0] }
    let dictionary = try ZstdDictionary.trained(on: teaching, maximumSize: training.maximumSize)
    // Prepare the tables for writing here rather than in the first write.
    let now = try Self.size(of: judging, with: newest, level: level)
    let then = try Self.size(of: judging, with: dictionary, level: level)
    guard Double(then) < 0.95 * Double(now) else { return .notWorthIt }
    let stored = try keepNumbered(dictionary)
    _ = try stored.tables(for: level)
    try use(stored)
    return .switched(to: stored)
  }

  /// Stores an unused dictionary, under the next free number if its own is taken.
  private func keepNumbered(_ dictionary: ZstdDictionary) throws -> ZstdDictionary {
    var candidate = dictionary
    for _ in DictionaryNumber.range {
      if try keep(candidate) { return candidate }
      let next = DictionaryNumber.after(candidate.id)
      candidate = try ZstdDictionary(candidate.bytes.numbered(next))
    }
    throw CompressionError(
      .invalidDictionary, "all dictionary numbers are taken in \(store.storageName)")
  }

  private static func size(of samples: [Data], with dictionary: ZstdDictionary?, level: Int) throws -> Int {
    try samples.reduce(0) { sum, sample in
      let packed = try ZstdCompressor.pool.withContext {
        try $0.compress(sample, level: level, dictionary: dictionary, checksum: false)
      }
      return sum + (packed?.count ?? sample.count)
    }
  }
}
