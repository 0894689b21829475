#if os(Linux)
  import Foundation
  import StrataCore
  import StrataDisk
  import StrataTestKit

  /// Writes, removes and reads until the process is killed. Each value contains its key, so that a mixture of two
  /// values is detected.
  struct EndlessWork {
    private let task: WorkerTask

    init(_ task: WorkerTask) { self.task = task }

    static func value(_ key: Int, _ count: Int) -> Data {
      Data(repeating: UInt8(truncatingIfNeeded: key), count: count)
    }

    func run() throws {
      let disk = try task.open()
      try Data().write(to: task.notes)
      var random = SeededGenerator(seed: UInt64(task.number))
      while true {
        let key = Int.random(in: 0..<200, using: &random)
        let count =
          Int.random(in: 0..<20, using: &random) == 0 ? 70_000 : Int.random(in: 0..<5000, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try disk.removeObject(forKey: "\(key)")
        case 1: try disk.removeExpiredObjects()
        case 2:
          let keys = [key, key + 1, key + 2]
          try disk.setObjects(
            Dictionary(uniqueKeysWithValues: keys.map { ("\($0)", Self.value($0, count)) }), expiry: nil)
        case 3: try disk.setObject(Self.value(key, count), forKey: "\(key)", expiry: .seconds(0.001))
        case 4...8: try disk.setObject(Self.value(key, count), forKey: "\(key)", expiry: nil)
        default:
          if let found = try disk.entryIfPresent(forKey: "\(key)")?.object {
            guard found == Self.value(key, found.count) else {
              throw SharedHistory.WrongValue(length: found.count)
            }
          }
        }
      }
    }
  }
#endif
