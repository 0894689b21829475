import BenchHarness
import Foundation
import Strata
import StrataCBOR

/// A whole hit of a `Storage` over a disk, with JSON and with CBOR.
struct StorageHits {
  let operations: Int

  func measure(_ report: inout Report) throws {
    Progress.say("codec: hits of a Storage on disk")
    let page = Page(records: 30)
    let timings = try withTemporaryFolder { folder in
      let codecs: [(String, Transformer<Page>)] = [("JSON", .codable(Page.self)), ("CBOR", .cbor(Page.self))]
      return try Comparison(operations: operations, time: .processor).run(
        codecs.map { name, transformer in
          let store = Storage(
            back: try DiskStorage<String>(config: DiskConfig(name: name, directory: folder)),
            transformer: transformer)
          try store.setObject(page, forKey: "page")
          return Contender("\(name), \(try transformer.toData(page).count) bytes") { [operations] _, _ in
            var sum = 0
            for _ in 0..<operations { sum &+= try store.object(forKey: "page").records.count }
            return sum
          }
        })
    }
    var table = Table(["codec", "hit, µs of the processor", "JSON, ratio"])
    for timing in timings {
      table.add([.text(timing.name), .measure(timing.median / 1000), .ratio(timings[0].ratio(to: timing))])
    }
    report.add(
      "A hit of a Storage on disk",
      "Reads and decodes 30 records of 12 fields, which the system has in its memory. A higher ratio is faster.",
      table: table)
    report.add(.atLeast(4, timings[0].ratio(to: timings[1]), "hit on disk, time with JSON against CBOR"))
  }
}

/// Records of twelve fields, nested, optional, with lists: some 10 kB of JSON.
struct Page: Codable, Sendable {
  struct Record: Codable, Sendable {
    struct Address: Codable, Sendable { let street, city: String }

    let id: Int
    let name, email: String
    let isActive: Bool
    let score, height: Double
    let tags: [String]
    let visits: [Int]
    let address: Address
    let nickname: String?
    let referrer: Int?
    let level: Int

    init(_ number: Int) {
      id = number * 7919
      name = "Ada Lovelace \(number)"
      email = "ada.lovelace\(number)@example.com"
      isActive = number % 3 > 0
      score = Double(number) * 1.37
      height = 1.5 + Double(number % 40) / 100
      tags = ["administrator", "beta tester", "newsletter \(number % 7)"]
      visits = [number, number * 31, number * 977]
      address = Address(street: "\(number) Rue de la Paix, third floor, to the left", city: "Ivano-Frankivsk")
      nickname = number.isMultiple(of: 2) ? "Countess" : nil
      referrer = number.isMultiple(of: 3) ? number + 1 : nil
      level = number % 5
    }
  }

  let records: [Record]

  init(records count: Int) { records = (0..<count).map(Record.init) }
}
