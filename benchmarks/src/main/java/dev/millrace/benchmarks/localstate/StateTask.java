package dev.millrace.benchmarks.localstate;

import java.nio.file.Path;
import java.util.List;

/// What the process of a job is to do.
///
/// @param output where answers and joined records go
/// @param state directory for local state
/// @param cacheBytes of a cache
/// @param warm records after which the measurement begins
/// @param until records after which it ends
public record StateTask(
    String bootstrap,
    Access access,
    Storing storing,
    String input,
    String output,
    Path state,
    long cacheBytes,
    long warm,
    long until) {

  List<String> arguments() {
    return List.of(
        bootstrap,
        access.name(),
        storing.name(),
        input,
        output,
        state.toString(),
        Long.toString(cacheBytes),
        Long.toString(warm),
        Long.toString(until));
  }

  /// @param arguments as its parent gives them
  public static StateTask of(String[] arguments) {
    return new StateTask(
        arguments[0],
        Access.valueOf(arguments[1]),
        Storing.valueOf(arguments[2]),
        arguments[3],
        arguments[4],
        Path.of(arguments[5]),
        Long.parseLong(arguments[6]),
        Long.parseLong(arguments[7]),
        Long.parseLong(arguments[8]));
  }

  /// The name of the job; no two runs on a cluster share one.
  String job() {
    return output + "-job";
  }
}
