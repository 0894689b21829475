import StrataCore

extension ChainTrial {
  /// Uses a view of another type on a value that it cannot read.
  func types() async throws {
    var chain = try await open()
    let record = ChainRecord(number: 7, text: "a record")
    try await chain.records.setObject(record, forKey: "key", expiry: nil)
    if check.circumstance == .restart { chain = try await open() }
    guard let numbers = chain.numbers else { throw NotInChain(reason: "it has no view of another type") }
    for round in ["", " without the copy in the front"] {
      let uses: [(String, () async throws -> Void)] = [
        ("object", { _ = try await numbers.object(forKey: "key") }),
        ("objectIfPresent", { _ = try await numbers.objectIfPresent(forKey: "key") }),
        ("entry", { _ = try await numbers.entry(forKey: "key") }),
        (
          "update",
          {
            guard let numbers = numbers as? any UpdateableStorage<String, Int> else {
              throw NotInChain(reason: "")
            }
            _ = try await numbers.update(forKey: "key") { $0 += 1 }
          }
        ),
      ]
      for (name, use) in uses {
        do {
          try await use()
          throw BrokenChain(explanation: "\(name) through a view of another type\(round) does not throw")
        } catch StorageError.typeNotMatch {} catch is NotInChain {} catch let broken as BrokenChain {
          throw broken
        } catch {
          throw BrokenChain(
            explanation:
              "\(name) through a view of another type\(round) throws \(error), and not typeNotMatch")
        }
        try await expect(record, at: "key", in: chain, "after \(name) through a view of another type\(round)")
      }
      if let numbers = numbers as? any ConditionalStorage<String, Int> {
        let isStored = try await numbers.setIfAbsent(1, forKey: "key", expiry: nil)
        try expect(!isStored, "setIfAbsent through a view of another type\(round) replaces a value")
        try await expect(
          record, at: "key", in: chain, "after setIfAbsent through a view of another type\(round)")
      }
      try await forget(["key"], in: chain)
    }
    try await write(through: numbers, in: chain, record)
  }

  /// A view may refuse to store a value that the chain itself cannot read.
  private func write(
    through numbers: any StorageAware<String, Int>, in chain: TestedChain, _ record: ChainRecord
  ) async throws {
    do { try await numbers.setObject(3, forKey: "key", expiry: nil) } catch StorageError.typeNotMatch {
      return try await expect(
        record, at: "key", in: chain, "after a view of another type has refused a write")
    }
    let found = try await numbers.object(forKey: "key")
    try expect(found == 3, "after a write through another view, it reads \(found), and not 3")
    do {
      let found = try await chain.records.object(forKey: "key")
      throw BrokenChain(explanation: "after a write through another view, \(shown(found)) is read")
    } catch StorageError.typeNotMatch {}
  }
}
