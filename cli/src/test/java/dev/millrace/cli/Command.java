package dev.millrace.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/// What the command says and returns, in this process.
///
/// @param out both, what it says and what it objects to
record Command(int status, String out) {
  static Command run(String... arguments) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text, true);
    CommandLine command = Main.commandLine();
    speakTo(writer, command);
    command.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    int status = command.execute(arguments);
    return new Command(status, text.toString());
  }

  private static void speakTo(PrintWriter writer, CommandLine command) {
    command.setOut(writer).setErr(writer);
    command.getSubcommands().values().forEach(each -> speakTo(writer, each));
  }
}
