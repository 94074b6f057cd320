package dev.millrace.benchmarks.compaction;

import java.nio.file.Path;
import java.util.List;

/// What the process of a job is to do.
///
/// @param name of the job; its changelog is the topic `name-changelog`
/// @param state directory for local state
record Task(
    String bootstrap, String name, String input, String output, Keeping keeping, Path state) {

  List<String> arguments() {
    return List.of(bootstrap, name, input, output, keeping.name(), state.toString());
  }

  static Task of(String[] arguments) {
    return new Task(
        arguments[0],
        arguments[1],
        arguments[2],
        arguments[3],
        Keeping.valueOf(arguments[4]),
        Path.of(arguments[5]));
  }

  String changelog() {
    return name + "-changelog";
  }
}
