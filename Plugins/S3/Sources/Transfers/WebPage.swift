#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A page that a server answers to anybody. For the command `strata`, which reads the metrics of programs.
@_spi(Command) public struct WebPage: Sendable {
  private let request: WebRequest
  private let limit: Int
  private let transfers: Transfers

  /// - Parameters:
  ///   - timeout: The time after which a request fails.
  ///   - limit: The maximum number of bytes of the page.
  public init(_ url: URL, accepting types: String, timeout: Duration, limit: Int) throws {
    request = WebRequest(
      url: url.absoluteString, fields: [("Accept", types)], redirections: 10, duration: timeout)
    self.limit = limit
    transfers = try Transfers(connections: 1, timeout: timeout)
  }

  /// Requests the page, and returns the status and the body; `nil` in place of a body that exceeds the limit. Throws an
  /// `S3ConnectionError` if no response arrives.
  public func read() async throws -> (status: Int, body: Data?) {
    let response = try await transfers.receive(request) { _ in limit }
    return (response.status, response.data)
  }
}
