import Foundation
import StrataObservation
import SwiftUI

/// Edits a note: every keystroke is shown at once, and stored in order.
struct NoteEditor: View {
  @State private var note: StoredValue<Note>

  init(notes: Storage<String, Note>, id: String) {
    _note = State(wrappedValue: StoredValue(notes, forKey: id))
  }

  var body: some View {
    let binding = note.binding(default: Note())
    Form {
      TextField("Title", text: binding.title)
      TextField("Text", text: binding.text)
      Button("Shout") { note.update { $0.text = $0.text.uppercased() } }
      Button("Delete") { note.remove() }
      if let error = note.phase.error { Text("Not stored: \(error.localizedDescription)") }
    }
  }
}

/// Settings of several types in one store.
struct SettingsForm: View {
  @Stored<Theme> private var theme: Theme
  @Stored<Bool> private var isLoud: Bool

  init(settings: Storage<String, Data>) {
    _theme = Stored(wrappedValue: .light, "settings.theme", in: settings)
    _isLoud = Stored(wrappedValue: false, "settings.isLoud", in: settings)
  }

  var body: some View {
    Form {
      Picker("Theme", selection: $theme) {
        ForEach(Theme.allCases, id: \.self) { theme in Text(theme.rawValue).tag(theme) }
      }
      Toggle("Loud", isOn: $isLoud)
    }
  }
}

/// Previews use stores in memory. A view shows what is in memory in its first frame.
struct NotePreviews: PreviewProvider {
  static var previews: some View { NoteList(stores: .inMemory()) }
}
