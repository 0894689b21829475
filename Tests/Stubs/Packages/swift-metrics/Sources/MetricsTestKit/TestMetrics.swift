// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

public import Metrics
import Synchronization

public final class TestMetrics: MetricsFactory {
  private struct Key: Hashable {
    let label: String
    let dimensions: [String: String]

    init(_ label: String, _ dimensions: [(String, String)]) {
      self.label = label
      self.dimensions = Dictionary(uniqueKeysWithValues: dimensions)
    }
  }

  private struct State {
    var counters: [Key: TestCounter] = [:]
    var meters: [Key: TestMeter] = [:]
    var recorders: [Key: TestRecorder] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    state.withLock { state in
      let known = state.counters[Key(label, dimensions)] ?? TestCounter(label, dimensions)
      state.counters[Key(label, dimensions)] = known
      return known
    }
  }

  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    state.withLock { state in
      let known = state.meters[Key(label, dimensions)] ?? TestMeter(label, dimensions)
      state.meters[Key(label, dimensions)] = known
      return known
    }
  }

  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    state.withLock { state in
      let known = state.recorders[Key(label, dimensions)] ?? TestRecorder(label, dimensions)
      state.recorders[Key(label, dimensions)] = known
      return known
    }
  }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    NOOPMetricsHandler.instance
  }

  public var counters: [TestCounter] { state.withLock { Array($0.counters.values) } }
  public var meters: [TestMeter] { state.withLock { Array($0.meters.values) } }
  public var recorders: [TestRecorder] { state.withLock { Array($0.recorders.values) } }

  public func expectCounter(_ label: String, _ dimensions: [(String, String)] = []) throws -> TestCounter {
    try found(state.withLock { $0.counters[Key(label, dimensions)] }, label, dimensions)
  }

  public func expectMeter(_ label: String, _ dimensions: [(String, String)] = []) throws -> TestMeter {
    try found(state.withLock { $0.meters[Key(label, dimensions)] }, label, dimensions)
  }

  public func expectRecorder(_ label: String, _ dimensions: [(String, String)] = []) throws -> TestRecorder {
    try found(state.withLock { $0.recorders[Key(label, dimensions)] }, label, dimensions)
  }

  private func found<M>(_ metric: M?, _ label: String, _ dimensions: [(String, String)]) throws -> M {
    guard let metric else { throw TestMetricsError.missingMetric(label: label, dimensions: dimensions) }
    return metric
  }
}

public enum TestMetricsError: Error {
  case missingMetric(label: String, dimensions: [(String, String)])
}

/// The values of one metric.
public class Recorded<Value: Sendable>: @unchecked Sendable {
  public let label: String
  public let dimensions: [(String, String)]
  private let recorded = Mutex<[Value]>([])

  init(_ label: String, _ dimensions: [(String, String)]) {
    self.label = label
    self.dimensions = dimensions
  }

  public var values: [Value] { recorded.withLock { $0 } }
  public var lastValue: Value? { values.last }

  func add(_ value: Value) { recorded.withLock { $0.append(value) } }
}

public final class TestCounter: Recorded<Int64>, CounterHandler, @unchecked Sendable {
  public func increment(by amount: Int64) { add(amount) }
  public func reset() {}
  public var totalValue: Int64 { values.reduce(0, +) }
}

public final class TestMeter: Recorded<Double>, MeterHandler, @unchecked Sendable {
  public func set(_ value: Int64) { add(Double(value)) }
  public func set(_ value: Double) { add(value) }
  public func increment(by amount: Double) { add((lastValue ?? 0) + amount) }
  public func decrement(by amount: Double) { add((lastValue ?? 0) - amount) }
}

public final class TestRecorder: Recorded<Double>, RecorderHandler, @unchecked Sendable {
  public func record(_ value: Int64) { add(Double(value)) }
  public func record(_ value: Double) { add(value) }
}
