package dev.millrace.benchmarks.peer;

import java.nio.file.Path;
import java.util.List;

/// What a peer is to do.
///
/// @param bootstrap address of Kafka
/// @param state directory for local state, which may be lost
/// @param saved directory for what outlives it
/// @param threads that process
/// @param cacheBytes for objects or blocks, of the process
public record Work(
    String bootstrap, String topic, Path state, Path saved, int threads, long cacheBytes) {

  List<String> arguments() {
    return List.of(
        bootstrap,
        topic,
        state.toString(),
        saved.toString(),
        Integer.toString(threads),
        Long.toString(cacheBytes));
  }

  static Work of(String[] arguments) {
    return new Work(
        arguments[0],
        arguments[1],
        Path.of(arguments[2]),
        Path.of(arguments[3]),
        Integer.parseInt(arguments[4]),
        Long.parseLong(arguments[5]));
  }
}
