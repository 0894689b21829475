import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

/// An answer that no S3 server gives, and the call that must not believe it.
struct ForeignAnswer: CustomTestStringConvertible, Sendable {
  typealias Call = @Sendable (S3Storage<String>) async throws -> Void

  let testDescription: String
  /// Answers the requests that the call sends.
  let answer: @Sendable (LocalServer.Received) -> LocalServer.Answer
  let call: Call

  init(
    _ description: String, _ call: @escaping Call,
    answer: @escaping @Sendable (LocalServer.Received) -> LocalServer.Answer
  ) {
    testDescription = description
    self.answer = answer
    self.call = call
  }

  static let page = "<html><body>Sign in to this network.</body></html>"

  static let toWrites: [Self] = [
    ("a page", .init(body: page)), ("a page with an ETag", .init(fields: [("ETag", "\"t\"")], body: page)),
    ("an error", .refusal(200, "InternalError", ["ETag": "\"t\""])), ("nothing, without an ETag", .init()),
    ("a 204", .init(status: 204, fields: [("ETag", "\"t\"")])),
  ].flatMap { name, answer in
    [
      Self("a write: \(name)", { try await $0.setObject(Data("v".utf8), forKey: "k") }) { _ in answer },
      Self("a part: \(name)", { try await $0.setObject(Data(count: 1500), forKey: "k") }) { request in
        switch request.method {
        case "PUT": answer
        case "DELETE": .removed
        default: .multipart(request)
        }
      },
      Self("the expiry mark: \(name)", { try await $0.setObject(Data(), forKey: "k", expiry: .seconds(9)) }) {
        $0.target.hasSuffix("expires") ? answer : .stored
      },
      Self("a conditional write: \(name)", { _ = try await $0.setIfAbsent(Data(), forKey: "k", expiry: nil) })
      {
        $0.index == 0 ? .refusal(412, "PreconditionFailed") : answer
      },
      Self("a check of conditions: \(name)", { try await $0.update(forKey: "k") { _ in } }) { _ in answer },
    ]
  }

  static let toReads: [Self] =
    [
      ("a missing page", .init(status: 404, body: page)), ("an empty 404", .init(status: 404)),
      ("a page", .init(body: page)), ("a 204", .init(status: 204, fields: [("ETag", "\"t\"")])),
      // A part of the value must not be returned as the whole.
      ("the first bytes", part("bytes 0-4/10")), ("other bytes", part("bytes 5-9/10")),
      ("bytes of a value of unknown length", part("bytes 0-4/*")), ("bytes of an unknown range", part(nil)),
    ].map { name, answer in
      Self("a read: \(name)", { _ = try await $0.entryIfPresent(forKey: "k") }) { _ in answer }
    } + [
      Self("the bucket behind an absent object: a page", { _ = try await $0.expiryIfPresent(forKey: "k") }) {
        $0.method == "HEAD" ? .init(status: 404) : .init(body: page)
      }
    ]

  private static func part(_ range: String?) -> LocalServer.Answer {
    .init(
      status: 206, fields: [("ETag", "\"t\"")] + (range.map { [("Content-Range", $0)] } ?? []), body: "value")
  }

  static let toRemovals: [Self] =
    [
      ("a page", .init(body: page)), ("a missing page", .init(status: 404, body: page)),
      ("an error", .refusal(200, "InternalError")), ("an empty 200", .init()),
    ].flatMap { name, answer in
      [
        Self("a removal: \(name)", { try await $0.removeObject(forKey: "k") }) { _ in answer },
        Self("removals: \(name)", { try await $0.removeObjects(forKeys: ["a", "b"]) }) { _ in answer },
      ]
    } + [
      Self("removals: none confirmed", { try await $0.removeObjects(forKeys: ["a", "b"]) }) { _ in
        .init(body: "<DeleteResult/>")
      },
      Self("removals: one confirmed", { try await $0.removeObjects(forKeys: ["a", "b"]) }) { _ in
        .init(body: "<DeleteResult><Deleted><Key>p/a</Key></Deleted></DeleteResult>")
      },
    ]

  static let toLists: [Self] = [
    ("a page", page), ("nothing", ""), ("truncated without a token", list(nil)), ("an empty token", list("")),
    ("the same token again", list("t")),
  ].flatMap { name, body in
    // The list ends at last, so that a client that believes it ends too.
    let answer: @Sendable (LocalServer.Received) -> LocalServer.Answer = { request in
      request.method == "HEAD"
        ? .init(status: 404) : .init(body: request.index < 9 ? body : "<ListBucketResult/>")
    }
    return [
      Self("keys: \(name)", { _ = try await $0.keys() }, answer: answer),
      Self("removeAll: \(name)", { try await $0.removeAll() }, answer: answer),
    ]
  }

  private static func list(_ token: String?) -> String {
    let token = token.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
    return "<ListBucketResult><IsTruncated>true</IsTruncated>\(token)</ListBucketResult>"
  }
}

/// Servers between the client and S3, or in its place: a proxy's page is no proof that anything was stored, removed or
/// absent.
@Suite(.endsInTime) struct ForeignAnswersTests {
  @Test(
    arguments: ForeignAnswer.toWrites + ForeignAnswer.toReads + ForeignAnswer.toRemovals
      + ForeignAnswer.toLists)
  func answersOfOtherServersAreNotBelieved(_ foreign: ForeignAnswer) async throws {
    let scripted = try Scripted(attempts: 1, answer: foreign.answer)
    defer { scripted.stop() }
    let error = await failure { try await foreign.call(scripted.store) }
    #expect(error == .backendFailed, "\(String(describing: error))")
    let refusal = try #require(error?.cause as? S3Error)
    #expect(
      refusal.code == "InternalError" || error?.message.contains("not one of S3's: check `endpoint`") == true,
      "\(String(describing: error))")
  }
}
