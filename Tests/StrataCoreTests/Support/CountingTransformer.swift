import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport

/// A transformer that counts its calls; negative numbers fail.
struct CountingTransformer: Sendable {
  private final class Counts: Sendable {
    let encoded = Locked(0)
    let decoded = Locked(0)
  }

  private let counts: Counts
  let transformer: Transformer<Int>

  init() {
    let counts = Counts()
    self.counts = counts
    transformer = Transformer(
      toData: { number in
        counts.encoded.withLock { $0 += 1 }
        if number < 0 { throw Failure.first }
        return Data("\(number)".utf8)
      },
      fromData: { data in
        counts.decoded.withLock { $0 += 1 }
        return try JSONDecoder().decode(Int.self, from: data)
      })
  }

  var encoded: Int { counts.encoded.withLock { $0 } }
  var decoded: Int { counts.decoded.withLock { $0 } }
}
