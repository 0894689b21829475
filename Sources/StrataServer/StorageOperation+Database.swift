#if Server
  import StrataCore

  extension StorageOperation {
    var isLoad: Bool { tier == "loading" }

    /// The name of the tier's database in OpenTelemetry's conventions; `nil` for a tier that is none.
    var databaseSystem: String? {
      switch tier {
      case "redis": "redis"
      case "postgres", "postgresql": "postgresql"
      default: nil
      }
    }
  }
#endif
