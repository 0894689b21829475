// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

import Synchronization

public protocol CounterHandler: AnyObject, Sendable {
  func increment(by amount: Int64)
  func reset()
}

public protocol MeterHandler: AnyObject, Sendable {
  func set(_ value: Int64)
  func set(_ value: Double)
  func increment(by amount: Double)
  func decrement(by amount: Double)
}

public protocol RecorderHandler: AnyObject, Sendable {
  func record(_ value: Int64)
  func record(_ value: Double)
}

public protocol TimerHandler: AnyObject, Sendable {
  func recordNanoseconds(_ duration: Int64)
}

public protocol MetricsFactory: Sendable {
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler
}

public final class Counter: Sendable {
  public let _handler: any CounterHandler

  public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
    _handler = factory.makeCounter(label: label, dimensions: dimensions)
  }

  public func increment(by amount: some BinaryInteger) { _handler.increment(by: Int64(amount)) }
}

public final class Meter: Sendable {
  public let _handler: any MeterHandler

  public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
    _handler = factory.makeMeter(label: label, dimensions: dimensions)
  }

  public func set(_ value: some BinaryInteger) { _handler.set(Int64(value)) }
}

public final class Recorder: Sendable {
  public let _handler: any RecorderHandler

  public init(
    label: String, dimensions: [(String, String)] = [], aggregate: Bool = true, factory: any MetricsFactory
  ) {
    _handler = factory.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
  }

  public func record(_ value: some BinaryFloatingPoint) { _handler.record(Double(value)) }
}

public final class Timer: Sendable {
  public let _handler: any TimerHandler

  public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
    _handler = factory.makeTimer(label: label, dimensions: dimensions)
  }

  public func recordNanoseconds(_ duration: some BinaryInteger) {
    _handler.recordNanoseconds(Int64(duration))
  }
}

public enum MetricsSystem {
  private static let bootstrapped = Mutex<(any MetricsFactory)?>(nil)

  public static func bootstrap(_ factory: any MetricsFactory) { bootstrapped.withLock { $0 = factory } }
  public static var factory: any MetricsFactory {
    bootstrapped.withLock { $0 } ?? NOOPMetricsHandler.instance
  }
}

public final class NOOPMetricsHandler: MetricsFactory, CounterHandler, MeterHandler, RecorderHandler,
  TimerHandler
{
  public static let instance = NOOPMetricsHandler()

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { self }
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { self }
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { self }
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { self }
  public func increment(by amount: Int64) {}
  public func increment(by amount: Double) {}
  public func decrement(by amount: Double) {}
  public func reset() {}
  public func set(_ value: Int64) {}
  public func set(_ value: Double) {}
  public func record(_ value: Int64) {}
  public func record(_ value: Double) {}
  public func recordNanoseconds(_ duration: Int64) {}
}
