import Foundation
import Strata
import Synchronization

/// A station that sends sounds of 20 seconds, and counts what it sends.
final class Station: Sendable {
  static let rate = 44_100
  static let seconds = 20
  static let length = Sound.headSize + 2 * rate * seconds

  private let sentBytes = Mutex(0)
  private let connections = Mutex(0)

  var sent: Int { sentBytes.withLock { $0 } }
  var connected: Int { connections.withLock { $0 } }

  /// Begins to send a sound. Nothing is sent before it is read.
  func sound(_ pitch: Int) -> StoredBytes {
    StoredBytes(length: Self.length) { _ in
      self.connections.withLock { $0 += 1 }
      let second = Mutex(-1)
      return AsyncThrowingStream<Data, any Error> {
        let number = second.withLock { second in
          defer { second += 1 }
          return second
        }
        if number == Self.seconds { return nil }
        let part = number < 0 ? Sound.head : Sound.second(number, pitch)
        self.sentBytes.withLock { $0 += part.count }
        return part
      }
    }
  }
}

/// Sounds as WAVE files: 16 bits, one channel.
enum Sound {
  static let headSize = 44

  static var head: Data {
    let bytes = 2 * Station.rate * Station.seconds
    var head = Data("RIFF".utf8)
    func append(_ number: Int, _ size: Int) {
      for byte in 0..<size { head.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
    }
    append(36 + bytes, 4)
    head += Data("WAVEfmt ".utf8)
    for (number, size) in [
      (16, 4), (1, 2), (1, 2), (Station.rate, 4), (2 * Station.rate, 4), (2, 2), (16, 2),
    ] {
      append(number, size)
    }
    head += Data("data".utf8)
    append(bytes, 4)
    return head
  }

  /// Returns a second of a tone, which swells and fades.
  static func second(_ second: Int, _ pitch: Int) -> Data {
    let loudness = 2000 * (1 + min(second % 8, 8 - second % 8))
    let half = max(Station.rate / (2 * pitch), 1)
    var samples = [Int16](repeating: 0, count: Station.rate)
    for index in samples.indices {
      let phase = index % (2 * half)
      samples[index] = Int16((phase < half ? phase : 2 * half - phase) * loudness / half - loudness / 2)
    }
    return samples.withUnsafeBytes { Data($0) }
  }

  /// Returns the loudness of samples as a bar.
  static func bar(_ samples: Data) -> String {
    let loudest = samples.withUnsafeBytes { $0.bindMemory(to: Int16.self).max() ?? 0 }
    return String(repeating: "▇", count: Int(loudest) / 500)
  }
}
