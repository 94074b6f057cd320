package dev.millrace.benchmarks.breakeven;

import java.nio.file.Path;
import java.util.List;

/// What the process of a job is to do.
///
/// @param name of the job; its changelog is the topic `name-changelog`
/// @param state directory for local state
/// @param snapshots whether a snapshot is taken, into a directory beside it
/// @param entryBytes of a key and its value
record Task(
    String bootstrap,
    String name,
    String input,
    String output,
    Path state,
    boolean snapshots,
    int entryBytes) {

  List<String> arguments() {
    return List.of(
        bootstrap,
        name,
        input,
        output,
        state.toString(),
        Boolean.toString(snapshots),
        Integer.toString(entryBytes));
  }

  static Task of(String[] arguments) {
    return new Task(
        arguments[0],
        arguments[1],
        arguments[2],
        arguments[3],
        Path.of(arguments[4]),
        Boolean.parseBoolean(arguments[5]),
        Integer.parseInt(arguments[6]));
  }

  Task withSnapshots() {
    return new Task(bootstrap, name, input, output, state, true, entryBytes);
  }

  String changelog() {
    return name + "-changelog";
  }

  /// Where snapshots go.
  Path checkpoints() {
    return state.resolveSibling("checkpoints");
  }
}
