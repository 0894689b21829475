import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPCache {
  /// What is stored under a URL; an empty record if nothing is that could be read.
  func record(_ target: String, reportingDamage: Bool = false) async throws -> CacheRecord {
    let data: Data?
    do { data = try await store.objectIfPresent(forKey: target) } catch {
      throw storeFailed(error, "what is stored could not be read", target)
    }
    guard let data else { return CacheRecord() }
    do { return try CacheRecord.transformer.fromData(data) } catch {
      if reportingDamage {
        let message = "what is stored is no record of responses, and will be overwritten"
        config.onTrouble?(.typeNotMatch.with(message, place: target, cause: DamagedRecord(error)))
      }
      return CacheRecord()
    }
  }

  /// Puts a response in place of what answered the same request, or removes that, unless the URL has changed since the
  /// origin was asked.
  func keep(
    _ news: StoredResponse?, for question: Question, _ ticket: Flights<RequestIdentity, Landing>.Ticket,
    response: Response
  ) async throws {
    let isUsable = news.map { $0.mayBeStored(for: question.directives) && !$0.selection.isEmpty } ?? false
    do {
      try await records.withTurn(.key(question.target)) {
        if flights.isOvertaken(ticket) { return }
        var record = try await record(question.target)
        record.replace(question, with: isUsable ? news : nil)
        if record.variants.isEmpty { return try await store.removeObject(forKey: question.target) }
        try await store.setObject(
          CacheRecord.transformer.toData(record), forKey: question.target, expiry: record.expiry(config))
      }
    } catch {
      throw storeFailed(
        UnstoredResponse(response: response, cause: error), "the response could not be stored",
        question.target)
    }
  }

  /// Sends a request that no stored response answers. One that may have changed something leaves nothing stored behind.
  func passing(_ key: Request) async throws -> Response {
    let request = key.urlRequest
    let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.httpMethod ?? "GET")
    if isSafe { return try await origin.retrieve(forKey: key) }
    let response: Response
    do { response = try await origin.retrieve(forKey: key) } catch {
      // It may have been carried out all the same.
      do { try await forget([Target.key(of: request.url)]) } catch let second {
        throw StorageError.backendFailed.with(
          "the request failed, and what is stored could not be removed either: \(second)", key: key,
          cause: error)
      }
      throw error
    }
    guard 200..<400 ~= response.httpUrlResponse.statusCode else { return response }
    let fields = HeaderFields(of: response.httpUrlResponse)
    let named = ["Location", "Content-Location"].map { Target.key(ofField: fields[$0], from: request.url) }
    do { try await forget([Target.key(of: request.url)] + named) } catch {
      throw storeFailed(
        UnstoredResponse(response: response, cause: error),
        "the request was carried out, but what is stored could not be removed", key.description)
    }
    return response
  }

  private func forget(_ targets: [String?]) async throws {
    for target in Set(targets.compactMap(\.self)) {
      flights.overtake(target)
      // In a task of its own: a cancelled caller must not leave behind what is no longer true.
      try await Task {
        try await records.withTurn(.key(target)) { try await store.removeObject(forKey: target) }
      }.value
    }
  }

  private func storeFailed(_ error: any Error, _ message: String, _ place: String) -> any Error {
    if error is CancellationError { return error }
    if let unstored = error as? UnstoredResponse, unstored.cause is CancellationError {
      return unstored.cause
    }
    return StorageError.backendFailed.with(message, place: place, cause: error)
  }
}

/// Why bytes are no record, without the words of the decoder: they may show what is in the bytes.
struct DamagedRecord: Error, CustomStringConvertible {
  let description: String

  init(_ error: any Error) {
    description =
      switch error {
      case DecodingError.keyNotFound: "a part of the record is missing"
      case DecodingError.valueNotFound, DecodingError.typeMismatch: "a part of the record has another type"
      case DecodingError.dataCorrupted: "the bytes are no property list, or one of another version"
      default: "the bytes are no property list"
      }
  }
}
