#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The operations of a child that is going to be killed. They depend on the round and the task alone, so that the
/// parent knows which operation was interrupted.
struct KillPlan {
  static let tasks = 3
  let round: Int
  let task: Int
  /// Returns a size that the store accepts.
  let size: @Sendable (Int) -> Int

  init(round: Int, task: Int, _ trial: Trial) {
    self.round = round
    self.task = task
    size = trial.size
  }

  /// The number of steps of each task after which the child limits the length of its files, so that the system kills it
  /// inside of a write. `nil` if the parent kills the child.
  static func stepsBeforeLimit(round: Int) -> Int? { round % 4 == 2 ? 5 + round % 7 : nil }

  static func keys(of task: Int) -> [String] { (0..<6).map { "task \(task) key \($0)" } }

  /// Returns the changes of a step: one key, or several keys in a batch. `nil` removes a key.
  func changes(in step: Int) -> [String: Data?] {
    var generator = SeededGenerator(seed: UInt64(round * 1_000_003 + task * 10_007 + step))
    let keys = Self.keys(of: task)
    var length = size([0, 30, 700, 20_000].randomElement(using: &generator) ?? 0)
    var kind = Int.random(in: 0..<8, using: &generator)
    if let limit = Self.stepsBeforeLimit(round: round), step >= limit {
      // Longer than all values of this round and of earlier ones.
      length = size(50_000 * (1 + round % 1000))
      kind = [2, 7][(step + task) % 2]
    }
    let value = bytes(length, seed: round &* 100_000 &+ step)
    switch kind {
    case 0: return [keys[Int.random(in: 0..<2, using: &generator)]: Data?.none]
    case 1: return Dictionary(uniqueKeysWithValues: keys[2...].map { ($0, Data?.none) })
    case 2, 3: return Dictionary(uniqueKeysWithValues: keys[2...].map { ($0, value) })
    default: return [keys[Int.random(in: 0..<2, using: &generator)]: value]
    }
  }
}
