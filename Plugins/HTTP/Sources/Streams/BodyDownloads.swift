import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The bodies that are being stored while they are read, for callers that come meanwhile.
final class BodyDownloads: Sendable {
  private struct Download: Sendable {
    weak var shared: SharedBytes?
    let head: HTTPURLResponse
    /// Whether the URL has not been changed since.
    let isValid: @Sendable () -> Bool
  }

  private let table = Locked<[LoadKey: Download]>([:])

  func add(
    _ shared: SharedBytes, _ head: HTTPURLResponse, for key: LoadKey, isValid: @escaping @Sendable () -> Bool
  ) {
    table.withLock { table in
      // Downloads that nobody reads any more end by themselves.
      table = table.filter { $0.value.shared != nil }
      table[key] = Download(shared: shared, head: head, isValid: isValid)
    }
  }

  /// Returns a download that has not ended.
  func find(_ key: LoadKey) -> (shared: SharedBytes, head: HTTPURLResponse)? {
    guard let download = table.withLock({ $0[key] }), let shared = download.shared, download.isValid(),
      !shared.hasFailed
    else { return nil }
    return (shared, download.head)
  }

  func remove(_ key: LoadKey, _ head: HTTPURLResponse) {
    table.withLock { table in if table[key]?.head === head { table[key] = nil } }
  }
}

/// A response whose body is read a part at a time.
struct StreamedLoad: Sendable {
  let response: StreamedResponse
  /// Whether it was made for the request of the first caller, who may receive its cookies.
  var isOriginal = true
  /// Whether other callers with an equal request may receive the response.
  var isShareable = true
  /// Whether the body has not arrived yet.
  var isArriving = false
}
