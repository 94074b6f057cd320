package dev.millrace.benchmarks.change.peer;

import java.nio.file.Path;
import java.util.List;

/// What another engine is to run.
///
/// @param bootstrap address of Kafka
/// @param input topic of [Event]s
/// @param output topic of [Row]s
/// @param state directory for local state, which is there again at the next start
/// @param saved directory for what is saved of it elsewhere
/// @param threads that process
/// @param cacheBytes for objects or blocks, of the process
/// @param changes what the program has of the changes, by the name of each: `add-field`
public record Assignment(
    String bootstrap,
    String input,
    String output,
    Path state,
    Path saved,
    int threads,
    long cacheBytes,
    List<String> changes) {
  public static final String ADD_FIELD = "add-field";
  public static final String RENAME_OPERATOR = "rename-operator";
  public static final String WIDEN_FIELD = "widen-field";

  public Assignment {
    changes = List.copyOf(changes);
  }

  /// Returns where savepoints are, of which there is one once a start has succeeded.
  ///
  /// @param saved as in an assignment
  public static Path savepoints(Path saved) {
    return saved.resolve("savepoints");
  }

  /// Returns whether the program has a change.
  public boolean has(String change) {
    return changes.contains(change);
  }

  /// Returns it as arguments of a process.
  public List<String> arguments() {
    return List.of(
        bootstrap,
        input,
        output,
        state.toString(),
        saved.toString(),
        Integer.toString(threads),
        Long.toString(cacheBytes),
        String.join(",", changes));
  }

  /// Returns what [#arguments] was made of.
  static Assignment of(String[] arguments) {
    return new Assignment(
        arguments[0],
        arguments[1],
        arguments[2],
        Path.of(arguments[3]),
        Path.of(arguments[4]),
        Integer.parseInt(arguments[5]),
        Long.parseLong(arguments[6]),
        List.of(arguments[7].split(",")));
  }
}
