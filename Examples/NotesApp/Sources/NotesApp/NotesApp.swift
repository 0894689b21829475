import StrataObservation
import SwiftUI

/// Notes on disk, a forecast from the network, and settings: each view watches what it shows.
@main
struct NotesApp: App {
  @State private var stores: Result<Stores, any Error>

  init() {
    let stores: Result<Stores, any Error>
    do { stores = .success(try Stores.onDisk()) } catch { stores = .failure(error) }
    _stores = State(wrappedValue: stores)
  }

  var body: some Scene {
    WindowGroup {
      switch stores {
      case .success(let stores): NoteList(stores: stores)
      case .failure(let error): Text("The notes cannot be opened: \(error.localizedDescription)")
      }
    }
  }
}
