#if Server
  import Metrics
  import StrataCore

  /// Records the durations of operations of servers and of loads.
  struct OperationDurations: StorageTracing {
    let store: String
    let factory: any MetricsFactory

    func trace<R: Sendable>(_ operation: StorageOperation, _ body: () async throws -> R) async throws -> R {
      let start = ContinuousClock.now
      do {
        let result = try await body()
        record(operation, start.duration(to: .now), error: nil)
        return result
      } catch {
        record(operation, start.duration(to: .now), error: error)
        throw error
      }
    }

    private func record(_ operation: StorageOperation, _ duration: Duration, error: (any Error)?) {
      var dimensions = [("store", store)]
      if let error { dimensions.append(("error.type", errorType(error))) }
      let label: String
      if operation.isLoad {
        label = "strata.load.duration"
      } else if let system = operation.databaseSystem {
        label = "db.client.operation.duration"
        dimensions += [("db.system.name", system), ("db.operation.name", operation.name)]
      } else {
        return
      }
      Recorder(label: label, dimensions: dimensions, factory: factory).record(duration / .seconds(1))
    }
  }
#endif
