#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decides when to sample and when to train, from the values that are written. It uses no clock.
struct TrainingSchedule {
  private enum Phase {
    case sampling(SampleReservoir)
    case training
    /// `usual` is the compressed fraction of the values' bytes when the dictionary was new.
    case watching(usual: Double?, Window)
    case resting(Int)
  }

  /// The sizes of some values, before and after compression.
  private struct Window {
    var values = 0
    var bytes = 0
    var written = 0

    var share: Double { bytes == 0 ? 1 : Double(written) / Double(bytes) }
  }

  private let values: Int
  private var phase: Phase
  /// The number of values that pass after an unsuccessful training. It doubles each time.
  private var pause: Int

  init(values: Int, hasDictionary: Bool) {
    self.values = values
    pause = values
    phase = hasDictionary ? .watching(usual: nil, Window()) : .sampling(SampleReservoir(values))
  }

  /// Records a written value. Returns samples when it is time to train.
  mutating func note(_ data: Data, writtenAs count: Int) -> [Data]? {
    switch phase {
    case .sampling(var reservoir):
      // The phase holds the only reference to the samples, so that they are not copied.
      phase = .training
      reservoir.offer(data)
      if reservoir.seen == values { return reservoir.samples }
      phase = .sampling(reservoir)
    case .training: break
    case .watching(let usual, var window):
      window.values += 1
      window.bytes += data.count
      window.written += count
      phase = .watching(usual: usual, window)
      if window.values == values { close(window, usual) }
    case .resting(let rest):
      phase = rest > 1 ? .resting(rest - 1) : .sampling(SampleReservoir(values))
    }
    return nil
  }

  private mutating func close(_ window: Window, _ usual: Double?) {
    // A new training is due if the compression ratio has fallen by a fifth: values that took a quarter of their size
    // take 0.31 of it.
    if let usual, window.share > usual * 1.25 {
      phase = .sampling(SampleReservoir(values))
    } else {
      phase = .watching(usual: usual ?? window.share, Window())
    }
  }

  /// Records the end of a training.
  mutating func end(hasSwitched: Bool) {
    if hasSwitched {
      pause = values
      phase = .watching(usual: nil, Window())
    } else {
      phase = .resting(pause)
      pause = min(2 * pause, 1 << 40)
    }
  }
}

/// A random sample of the written values, in which every value has the same probability to be included.
struct SampleReservoir {
  private let capacity: Int
  private(set) var samples: [Data] = []
  private(set) var seen = 0

  init(_ values: Int) { capacity = min(values, 1000) }

  mutating func offer(_ data: Data) {
    seen += 1
    if samples.count < capacity {
      samples.append(Data(data.prefix(ZstdDictionary.sampleSize)))
    } else {
      let place = Int.random(in: 0..<seen)
      if place < capacity { samples[place] = Data(data.prefix(ZstdDictionary.sampleSize)) }
    }
  }
}
