import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import Testing

@Suite("KeychainError") struct KeychainErrorTests {
  private let locked = KeychainError(
    .unableToSave, condition: .locked, code: -25308, reason: "the keychain is locked: unlock it",
    account: "session", cause: StorageError.notFound)

  @Test("kinds match in catch, in comparisons and in switch, whatever the reason")
  func kinds() throws {
    #expect(locked == .unableToSave)
    #expect(locked != .unableToDelete)
    do { throw locked } catch KeychainError.unableToRetrieve {
      Issue.record("another kind matched")
    } catch KeychainError.unableToSave {}
    let kind =
      switch locked {
      case .unableToSave: "save"
      case .unableToRetrieve: "retrieve"
      default: "delete"
      }
    #expect(kind == "save")
  }

  @Test("the message has the reason and advice; the description has all details except the cause")
  func messages() {
    #expect(
      locked.errorMessage
        == "The item could not be saved to the keychain: the keychain is locked: unlock it.")
    #expect(locked.localizedDescription == locked.errorMessage)
    #expect("\(locked)" == "\(locked.errorMessage) [locked] [code: -25308] [account: session]")
    #expect(KeychainError.unableToDelete.errorMessage == "The item could not be deleted from the keychain.")
  }

  @Test("conditions with the same name are equal")
  func conditions() {
    #expect(KeychainError.Condition("locked") == .locked)
    let all: [KeychainError.Condition] = [
      .locked, .denied, .damaged, .wrongKey, .unreachable, .tooLarge, .quotaExceeded,
    ]
    #expect(Set(all).count == all.count)
  }
}
