package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.app.Programs;
import dev.millrace.benchmarks.process.Child.Program;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a user of Millrace calls for a change, each as a process of its own. Each waits for the end
/// of the command, and throws an [IllegalStateException] with what it said if it failed.
final class Commands {
  private static final Pattern ID = Pattern.compile("--change\\.accept=(\\w+)");

  private final String bootstrap;
  private final Program millrace;

  /// What is there to accept.
  ///
  /// @param id empty if nothing has to be accepted
  /// @param seconds that the command took
  record Difference(String id, double seconds) {}

  /// @param millrace the command `millrace`
  Commands(String bootstrap, Program millrace) {
    this.bootstrap = bootstrap;
    this.millrace = millrace;
  }

  /// Compares a program with what is recorded.
  Difference difference(Class<?> program) throws IOException, InterruptedException {
    Command diff = run("plan", "--diff", "--bootstrap", bootstrap, program.getName());
    Matcher id = ID.matcher(diff.out());
    return new Difference(id.find() ? Objects.requireNonNull(id.group(1)) : "", diff.seconds());
  }

  /// Finalizes the change that is being rolled out.
  void finish() throws IOException, InterruptedException {
    run("deploy", "finalize", "--bootstrap", bootstrap, Programs.APPLICATION);
  }

  /// Rolls the change back, and returns the seconds that it took.
  double rollBack() throws IOException, InterruptedException {
    return run("deploy", "rollback", "--bootstrap", bootstrap, Programs.APPLICATION).seconds();
  }

  /// Returns the seconds that a command takes which does nothing.
  double start() throws IOException, InterruptedException {
    return run("--version").seconds();
  }

  private Command run(String... arguments) throws IOException, InterruptedException {
    Command command = Command.run(millrace, List.of(arguments));
    if (command.status() != 0) {
      throw new IllegalStateException(
          "millrace %s ended with status %d: %s"
              .formatted(String.join(" ", arguments), command.status(), command.out()));
    }
    return command;
  }
}
