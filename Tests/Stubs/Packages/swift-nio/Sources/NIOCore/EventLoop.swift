// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Dispatch

public protocol EventLoop: AnyObject, Sendable {
  var inEventLoop: Bool { get }
  func execute(_ task: @escaping @Sendable () -> Void)
}

public protocol EventLoopGroup: AnyObject, Sendable {
  func next() -> any EventLoop
}

/// An event loop that is a serial queue.
public final class QueueEventLoop: EventLoop, EventLoopGroup {
  private let queue = DispatchQueue(label: "event loop")
  private let mark = DispatchSpecificKey<Bool>()

  public init() { queue.setSpecific(key: mark, value: true) }

  public var inEventLoop: Bool { DispatchQueue.getSpecific(key: mark) ?? false }
  public func execute(_ task: @escaping @Sendable () -> Void) { queue.async(execute: task) }
  public func next() -> any EventLoop { self }
}

extension EventLoop {
  public func makeFutureWithTask<Value: Sendable>(
    _ body: @Sendable @escaping () async throws -> Value
  ) -> EventLoopFuture<Value> {
    let future = EventLoopFuture<Value>(on: self)
    Task {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      self.execute { future.complete(with: result) }
    }
    return future
  }

  public func makeFailedFuture<Value>(_ error: any Error) -> EventLoopFuture<Value> {
    let future = EventLoopFuture<Value>(on: self)
    execute { future.complete(with: .failure(error)) }
    return future
  }
}

/// A value that arrives on an event loop.
///
/// Unchecked: its result is a value of any type, which only the event loop and the callbacks there see.
public final class EventLoopFuture<Value>: @unchecked Sendable {
  public let eventLoop: any EventLoop
  private var result: Result<Value, any Error>?
  private var callbacks: [(Result<Value, any Error>) -> Void] = []

  init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  fileprivate func complete(with result: Result<Value, any Error>) {
    self.result = result
    for callback in callbacks { callback(result) }
    callbacks = []
  }

  private func whenComplete(_ callback: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    eventLoop.execute {
      if let result = self.result { callback(result) } else { self.callbacks.append(callback) }
    }
  }

  public func flatMapThrowing<New>(
    _ change: @escaping @Sendable (Value) throws -> New
  ) -> EventLoopFuture<New> {
    let future = EventLoopFuture<New>(on: eventLoop)
    whenComplete { result in future.complete(with: Result { try change(result.get()) }) }
    return future
  }

  public func map<New>(_ change: @escaping @Sendable (Value) -> New) -> EventLoopFuture<New> {
    flatMapThrowing { change($0) }
  }

  public func get() async throws -> Value where Value: Sendable {
    try await withCheckedThrowingContinuation { continuation in
      whenComplete { continuation.resume(with: $0) }
    }
  }
}
