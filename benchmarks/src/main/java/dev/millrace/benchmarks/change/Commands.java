package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.app.Programs;
import dev.millrace.benchmarks.process.Child.Program;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a user of Millrace calls for a change, each as a process of its own. Each waits for the end
/// of the command, and throws an [IllegalStateException] with what it said if it failed.
final class Commands {
  private static final JsonMapper JSON = new JsonMapper();

  private final String bootstrap;
  private final Program millrace;

  /// What is there to accept.
  ///
  /// @param id empty if nothing has to be accepted
  /// @param seconds that the command took
  /// @param predicted what it said of a migration
  record Difference(String id, double seconds, Migration predicted) {}

  /// @param millrace the command `millrace`
  Commands(String bootstrap, Program millrace) {
    this.bootstrap = bootstrap;
    this.millrace = millrace;
  }

  /// Compares a program with what is recorded.
  Difference difference(Class<?> program) throws IOException, InterruptedException {
    Command diff = run("plan", "--diff", "--json", "--bootstrap", bootstrap, program.getName());
    JsonNode told = JSON.readTree(diff.out());
    double seconds = 0;
    for (JsonNode change : told.path("changes")) {
      seconds += change.path("seconds").asDouble(Double.NaN);
    }
    return new Difference(
        told.path("needsAcceptance").asBoolean() ? told.path("id").asString() : "",
        diff.seconds(),
        new Migration(told.path("writtenBytes").asDouble(Double.NaN), seconds));
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
              .formatted(
                  String.join(" ", arguments), command.status(), command.out() + command.errors()));
    }
    return command;
  }
}
