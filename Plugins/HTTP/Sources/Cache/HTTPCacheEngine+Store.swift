import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPCacheEngine {
  /// Returns the record of a URL, or an empty record if there is none or it is unreadable.
  func record(_ target: String, reportingDamage: Bool = false) async throws -> CacheRecord {
    let data: Data?
    do { data = try await store.objectIfPresent(forKey: target) } catch  where error.isDamage {
      if reportingDamage { reportDamage(error, target) }
      return CacheRecord()
    } catch {
      throw storeFailed(error, "the stored responses could not be read", target)
    }
    guard let data else { return CacheRecord() }
    do { return try CacheRecord.transformer.fromData(data) } catch {
      if reportingDamage {
        let message = "the stored bytes are not a record of responses, and will be overwritten"
        config.onTrouble?(.typeNotMatch.with(message, place: target, cause: DamagedRecord(error)))
      }
      return CacheRecord()
    }
  }

  /// Replaces the stored response to this request, or removes it if `news` cannot be stored, or is too large for the
  /// store. Does nothing if the URL has changed since the load started. Returns `false` if `news` is not stored because
  /// of its size or its fields.
  @discardableResult
  func keep(
    _ news: StoredResponse?, for question: Question, _ flight: FlightID, response: Response
  ) async throws -> Bool {
    let isUsable =
      news.map {
        mayStore($0, for: question) && fits($0)
      } ?? false
    do {
      return try await records.withTurn(.key(question.target)) {
        if flights.isOvertaken(flight) { return isUsable }
        do {
          try await change(question) { $0.replace(question, with: isUsable ? news : nil) }
          return isUsable
        } catch StorageError.tooLarge where isUsable {
          try await change(question) { $0.replace(question, with: nil) }
          return false
        }
      }
    } catch {
      throw storeFailed(
        UnstoredResponse(response: response, cause: error), "the response could not be stored",
        question.target)
    }
  }

  /// Changes the record of a URL, in its turn, and removes the bodies that it no longer has. If these cannot be
  /// removed, the record has been changed all the same: nothing finds them, and they expire.
  func change(_ question: Question, _ body: (inout CacheRecord) -> Void) async throws {
    var record = try await record(question.target)
    let old = record
    body(&record)
    if record.variants.isEmpty {
      try await store.removeObject(forKey: question.target)
    } else {
      let expiry = record.expiry(config, isShared: isShared)
      try await store.setObject(
        CacheRecord.transformer.toData(record), forKey: question.target, expiry: expiry)
      // A validated response lives longer, and so must its body. One that is missing is noticed when it is read.
      for key in record.bodyKeys.intersection(old.bodyKeys) {
        _ = try await store.change(key, .touch(expiry), [])
      }
    }
    do {
      for key in old.bodyKeys.subtracting(record.bodyKeys) { try await store.removeObject(forKey: key) }
    } catch { report(error, at: question, "the body of a replaced response could not be removed") }
  }

  /// Returns the stored response with its body, or `nil` if the body is missing.
  func whole(_ stored: StoredResponse?) async throws -> StoredResponse? {
    guard var stored, let detached = stored.detached else { return stored }
    do {
      guard let body = try await store.objectIfPresent(forKey: detached.key), body.count == detached.length
      else { return nil }
      stored.body = body
      return stored
    } catch  where error.isDamage {
      reportDamage(error, detached.key)
      return nil
    } catch { throw storeFailed(error, "the stored body could not be read", detached.key) }
  }

  func reportDamage(_ error: any Error, _ place: String) {
    config.onTrouble?(
      .malformedFileAttributes.with(
        "the stored bytes are damaged, and the origin is asked for the response", place: place, cause: error))
  }

  func storeFailed(_ error: any Error, _ message: String, _ place: String) -> any Error {
    if error is CancellationError { return error }
    if let unstored = error as? UnstoredResponse, unstored.cause is CancellationError {
      return unstored.cause
    }
    return StorageError.backendFailed.with(message, place: place, cause: error)
  }
}

extension Error {
  /// Whether a store has found that bytes are damaged, or of another version.
  var isDamage: Bool {
    let codes = [StorageError.malformedFileAttributes, .decodingFailed, .typeNotMatch, .newerFormat].map(
      \.code)
    return (self as? StorageError).map { codes.contains($0.code) } ?? false
  }
}

/// The reason why bytes are not a record, without the decoder's message, which may quote the bytes.
struct DamagedRecord: Error, CustomStringConvertible {
  let description: String

  init(_ error: any Error) {
    description =
      switch error {
      case DecodingError.keyNotFound: "a part of the record is missing"
      case DecodingError.valueNotFound, DecodingError.typeMismatch: "a part of the record has another type"
      case DecodingError.dataCorrupted: "the bytes are not a property list, or of another version"
      default: "the bytes are not a property list"
      }
  }
}
