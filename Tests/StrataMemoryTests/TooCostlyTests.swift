import Foundation
import StrataMemory
import StrataTestKit
import Testing

@Suite("MemoryStorage: a value that alone costs too much")
struct TooCostlyTests {
  @Test("it is not kept, which is counted and reported, together with the value that it would have replaced")
  func told() throws {
    let told = Shared<[String]>([])
    let memory = MemoryStorage<String, Data>(
      config: MemoryConfig(countLimit: 10, totalCostLimit: 10),
      onRemoval: { removal in
        told.change { $0.append("\(removal.key) \(removal.value.count) \(removal.reason)") }
      })
    try memory.setObject(Data(count: 100), forKey: "new")
    #expect(memory.count == 0)
    #expect(told.value == ["new 100 costLimit"])
    #expect(memory.statistics.removals[.costLimit] == 1)
    try memory.setObject(Data(count: 5), forKey: "small")
    try memory.setObject(Data(count: 50), forKey: "small")
    #expect(memory.count == 0)
    #expect(told.value.dropFirst() == ["small 5 replaced", "small 50 costLimit"])
    #expect(memory.statistics.evictions == 2)
  }
}
