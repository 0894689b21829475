import Foundation
import StrataObservation
import SwiftUI

/// The list of all notes, page by page. A note that is edited elsewhere changes in place.
struct NoteList: View {
  let stores: Stores
  @State private var notes: StoredCollection<String, Note>

  init(stores: Stores) {
    self.stores = stores
    _notes = State(wrappedValue: StoredCollection(stores.notes))
  }

  var body: some View {
    NavigationStack {
      List {
        ForecastRow(forecasts: stores.forecasts, place: "Kyiv")
        ForEach(notes.elements) { note in
          NavigationLink(note.value.title) { NoteEditor(notes: stores.notes, id: note.key) }
        }
        if notes.hasMore { ProgressView().task { await notes.loadMore() } }
        if let error = notes.phase.error { Text(error.localizedDescription) }
        NavigationLink("Settings") { SettingsForm(settings: stores.settings) }
      }
      .refreshable { await notes.refresh() }
      .navigationTitle("Notes")
    }
  }
}

/// A row that shows the last forecast at once, and the current one when it has been loaded.
struct ForecastRow: View {
  @State private var forecast: StoredValue<Forecast>

  init(forecasts: LoadingStorage<String, Forecast>, place: String) {
    _forecast = State(wrappedValue: StoredValue(forecasts, forKey: place))
  }

  var body: some View {
    switch forecast.phase {
    case .loading: ProgressView()
    case .loaded: Text(forecast.value?.words ?? "No forecast")
    case .stale: Text("\(forecast.value?.words ?? "") (yesterday's)")
    case .failed: Button("Try again") { Task { await forecast.refresh() } }
    }
  }
}
