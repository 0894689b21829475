import Synchronization

/// A tracer of a chain: it runs each remote operation and each load inside a span of its own.
///
/// ```swift
/// struct Printing: StorageTracing {
///   nonisolated(nonsending) func trace<R: Sendable>(
///     _ operation: StorageOperation, _ body: nonisolated(nonsending) () async throws -> R
///   ) async throws -> R {
///     print("begin", operation.tier, operation.name)
///     defer { print("end", operation.tier, operation.name) }
///     return try await body()
///   }
/// }
/// let token = users.trace(with: Printing())
/// ```
///
/// Operations that never suspend, in memory or on a disk, are not traced; events report them.
public protocol StorageTracing: Sendable {
  /// Calls `body` once, in the caller's task, and returns its result or throws its error.
  ///
  /// The effects are written out, since a user's module may be compiled with another default.
  nonisolated(nonsending) func trace<R: Sendable>(
    _ operation: StorageOperation, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R
}

/// An operation of a tier, for a tracer.
///
/// ```swift
/// func name(of operation: StorageOperation) -> String { "\(operation.tier) \(operation.name)" }   // "redis get"
/// ```
public struct StorageOperation: Sendable {
  /// The name of the operation: "get", "set", "remove", "touch", "list", "clear", or "load".
  public let name: String
  /// The name of the tier, for example "redis", or "loading" for a load.
  public let tier: String
  /// The number of keys.
  public let count: Int
  /// Whether a load was started for later readers: no caller waits for it.
  public let isInBackground: Bool

  package init(_ name: String, tier: String, count: Int = 1, isInBackground: Bool = false) {
    self.name = name
    self.tier = tier
    self.count = count
    self.isInBackground = isInBackground
  }
}

/// The tracers of a tier. The first is the outermost.
@usableFromInline
package final class StorageTracers: Sendable {
  private let state = Locked<(lastID: Int, tracers: [(id: Int, tracer: any StorageTracing)])>((0, []))
  private let isOn = Atomic(false)

  init() {}

  package func add(_ tracer: any StorageTracing) -> ObservationToken {
    let id = state.withLock { state in
      state.lastID += 1
      state.tracers.append((state.lastID, tracer))
      isOn.store(true, ordering: .sequentiallyConsistent)
      return state.lastID
    }
    return ObservationToken { [weak self] in
      self?.state.withLock { state in
        state.tracers.removeAll { $0.id == id }
        self?.isOn.store(!state.tracers.isEmpty, ordering: .sequentiallyConsistent)
      }
    }
  }

  /// Runs an operation inside the spans of all tracers.
  package func trace<R: Sendable>(
    _ operation: @autoclosure () -> StorageOperation, _ body: () async throws -> R
  ) async throws -> R {
    guard isOn.load(ordering: .relaxed) else { return try await body() }
    return try await Self.trace(state.withLock { $0.tracers.map(\.tracer) }[...], operation(), body)
  }

  private static func trace<R: Sendable>(
    _ tracers: ArraySlice<any StorageTracing>, _ operation: StorageOperation, _ body: () async throws -> R
  ) async throws -> R {
    guard let tracer = tracers.first else { return try await body() }
    return try await tracer.trace(operation) { try await trace(tracers.dropFirst(), operation, body) }
  }
}
