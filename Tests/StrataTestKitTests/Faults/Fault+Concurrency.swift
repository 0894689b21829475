import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofConcurrency = [
    Fault(.parallelKeys, "rewrites all entries to change one", "16 tasks") { bent in
      let all = Shared<[String: Data]>([:])
      @Sendable func change(_ change: @Sendable (inout [String: Data]) -> Void) async {
        var copy = all.value
        await Task.yield()
        change(&copy)
        all.change { [copy] in $0 = copy }
      }
      bent.read = { key in all.value[key].map { Entry(object: $0) } }
      bent.write = { value, key, _ in await change { $0[key] = value } }
      bent.remove = { key in await change { $0[key] = nil } }
      bent.readMany = { keys in all.value.filter { keys.contains($0.key) }.mapValues { Entry(object: $0) } }
      bent.writeMany = { values, _ in await change { $0.merge(values) { $1 } } }
      bent.list = { Array(all.value.keys) }
    },
    Fault(.parallelKeys, "uses one buffer for all reads", "16 tasks") { bent in
      let (base, buffer) = (bent.base, Shared<Entry<Data>?>(nil))
      bent.read = { key in
        let entry = try await base.entryIfPresent(forKey: key)
        buffer.change { $0 = entry }
        await Task.yield()
        return buffer.value
      }
    },
    Fault(.linearizability, "acknowledges a write before it takes effect", "no order of these operations") {
      bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        Task {
          await Task.yield()
          try await base.setObject(value, forKey: key, expiry: expiry)
        }
      }
    },
    Fault(
      .linearizability, "promotes a value that a later write has replaced", "no order of these operations"
    ) {
      bent in
      let (base, memory) = (bent.base, Shared<[String: Entry<Data>]>([:]))
      bent.read = { key in
        if let entry = memory.value[key] { return entry }
        guard let entry = try await base.entryIfPresent(forKey: key) else { return nil }
        await Task.yield()
        memory.change { $0[key] = entry }
        return entry
      }
      bent.write = { value, key, expiry in
        try await base.setObject(value, forKey: key, expiry: expiry)
        memory.change { $0[key] = nil }
      }
      bent.remove = { key in
        try await base.removeObject(forKey: key)
        memory.change { $0[key] = nil }
      }
    },
    Fault(.linearizability, "writes a value in two halves", "that nobody wrote") { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        let old = try await base.entryIfPresent(forKey: key)?.object ?? Data()
        let half = value.count / 2
        try await base.setObject(value.prefix(half) + old.dropFirst(half), forKey: key, expiry: expiry)
        await Task.yield()
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
    },
    Fault(.cancellation, "skips a write without throwing", "that did not throw") { bent in
      let base = bent.base
      bent.write = {
        if Task.isCancelled { return }
        try await base.setObject($0, forKey: $1, expiry: $2)
      }
    },
    Fault(.cancellation, "throws after a write that took effect", "that threw CancellationError") { bent in
      let base = bent.base
      bent.write = {
        try await base.setObject($0, forKey: $1, expiry: $2)
        await Task.yield()
        try Task.checkCancellation()
      }
    },
    Fault(.cancellation, "reports an unread key as absent", "in a cancelled task, without throwing") {
      bent in
      let base = bent.base
      bent.read = {
        await Task.yield()
        return Task.isCancelled ? nil : try await base.entryIfPresent(forKey: $0)
      }
    },
  ]
}
