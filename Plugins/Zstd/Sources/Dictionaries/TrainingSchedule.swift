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
    /// `usual` is the share of its bytes that a value kept when the dictionary was new.
    case watching(usual: Double?, Window)
    case resting(Int)
  }

  /// Values, and what became of them.
  private struct Window {
    var values = 0
    var bytes = 0
    var written = 0

    var share: Double { bytes == 0 ? 1 : Double(written) / Double(bytes) }
  }

  private let values: Int
  private var phase: Phase
  /// How many values pass after a training that brought nothing: twice as many each time.
  private var pause: Int

  init(values: Int, hasDictionary: Bool) {
    self.values = values
    pause = values
    phase = hasDictionary ? .watching(usual: nil, Window()) : .sampling(SampleReservoir(values))
  }

  /// Notes a value that was written. Returns samples when it is time to train.
  mutating func note(_ data: Data, writtenAs count: Int) -> [Data]? {
    switch phase {
    case .sampling(var reservoir):
      // One reference, so that the samples are not copied.
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
    // What is saved, and not what is kept, is to have fallen by a fifth: bytes that were a quarter are 0.31 then.
    if let usual, window.share > usual * 1.25 {
      phase = .sampling(SampleReservoir(values))
    } else {
      phase = .watching(usual: usual ?? window.share, Window())
    }
  }

  /// Notes the end of a training.
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

/// Some of the values that come by, each with the same chance.
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
