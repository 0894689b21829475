import CommandTable
import Testing

@Suite struct HelpTests {
  private let table = ParsingTests.table

  @Test func helpFitsTheColumns() throws {
    for width in [40, 60, 80, 200] {
      for command in table.commands {
        for line in table.help(of: command, width: width).split(separator: "\n") {
          #expect(line.count <= width, "\(line)")
        }
      }
    }
  }

  @Test func helpOfACommand() throws {
    let text = try table.help(of: table.command("wash"))
    #expect(
      text == """
        pan wash: wash the pan

        Usage: pan wash [SOAP] [options]

        Arguments:
          SOAP  with what

        Options of every command:
          -q, --quiet    no noise
          -h, --help     print this help
              --version  print the version

        """)
  }

  @Test func hiddenCommandsAreNotShown() {
    #expect(!table.help().contains("hidden"))
    #expect(!table.manualPage.contains("hidden"))
    for shell in CommandTable.shells { #expect(table.completions(for: shell)?.contains("hidden") == false) }
    #expect(table.completions(for: "csh") == nil)
  }

  @Test func allCommandsAndOptionsAreInTheManualPageAndCompletions() {
    let page = table.manualPage.replacing("\\-", with: "-")
    for command in table.visibleCommands {
      for option in table.options + command.options {
        #expect(page.contains("--\(option.name)"))
        for shell in CommandTable.shells {
          let script = table.completions(for: shell) ?? ""
          #expect(script.contains(shell == "fish" ? "-l \(option.name)" : "--\(option.name)"), "\(shell)")
        }
      }
    }
  }
}
