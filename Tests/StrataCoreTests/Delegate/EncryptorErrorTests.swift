import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite struct EncryptorErrorTests {
  private let refused = EncryptorError.failedToDecrypt.with(code: -1, reason: "it is damaged", key: "ada")

  @Test func equalErrorsAreFailuresOfOneKind() {
    #expect(refused == .failedToDecrypt)
    #expect(refused != .failedToEncrypt)
    #expect(EncryptorError.failedToEncrypt.with(reason: "it is damaged") != refused)
  }

  @Test func anErrorIsCaughtByItsKind() {
    do { throw refused } catch EncryptorError.failedToEncrypt {
      Issue.record("caught as another kind")
    } catch EncryptorError.failedToDecrypt {
    } catch { Issue.record("not caught: \(error)") }
    switch refused.kind {
    case .failedToEncrypt: Issue.record("another kind")
    case .failedToDecrypt: break
    }
  }

  @Test func theDescriptionHasAllDetails() {
    #expect(refused.errorMessage == "The data could not be decrypted: it is damaged.")
    #expect(refused.localizedDescription == refused.errorMessage)
    #expect("\(refused)" == #"The data could not be decrypted: it is damaged. [code: -1] [key: "ada"]"#)
    #expect((refused.code, refused.key as? String) == (-1, "ada"))
  }

  @Test func addedDetailsKeepTheOthers() {
    let error = refused.with(reason: "it is lost")
    #expect("\(error)" == #"The data could not be decrypted: it is lost. [code: -1] [key: "ada"]"#)
  }

  @Test func aViewThatCannotDecryptSaysSo() throws {
    let lock = ByteTransformer(encode: { $0 }, decode: { _ in throw EncryptorError.failedToDecrypt })
    let store = DictionaryStorage<String, Data>(["ada": Data("1".utf8)])
    let view = store.transform(to: Transformer.codable(Int.self).then(lock))
    let error = try #require(throws: EncryptorError.self) { try view.object(forKey: "ada") }
    #expect(error == .failedToDecrypt)
    #expect(error.key as? String == "ada")
  }
}
