package dev.millrace.benchmarks.scenarios;

import java.nio.file.Path;
import java.util.List;

/// What a peer is to do.
///
/// @param bootstrap address of Kafka
/// @param mode of the engine, where it has several; such as `at-least-once`
/// @param state directory for local state
/// @param saved directory for what outlives it
/// @param threads that process
/// @param cacheBytes for objects or blocks of the process
/// @param soon whether output is wanted soon rather than much of it
/// @param measured what of it counts
public record Assignment(
    String bootstrap,
    Scenario scenario,
    String mode,
    String input,
    String output,
    Path state,
    Path saved,
    int threads,
    long cacheBytes,
    boolean soon,
    Measured measured) {

  private static final String REHEARSAL = "-rehearsal";

  /// @param rehearsalSeconds how long the same is done first, in a job of its own that is then
  ///   stopped; 0 for not at all
  /// @param from records after which the measurement begins
  /// @param until records after which it ends
  /// @param broker the number of Kafka's process, whose processor time is taken with the engine's
  public record Measured(int rehearsalSeconds, long from, long until, long broker) {}

  List<String> arguments() {
    return List.of(
        bootstrap,
        scenario.id(),
        mode,
        input,
        output,
        state.toString(),
        saved.toString(),
        Integer.toString(threads),
        Long.toString(cacheBytes),
        Boolean.toString(soon),
        Integer.toString(measured.rehearsalSeconds),
        Long.toString(measured.from),
        Long.toString(measured.until),
        Long.toString(measured.broker));
  }

  static Assignment of(String[] arguments) {
    return new Assignment(
        arguments[0],
        Scenario.of(arguments[1]),
        arguments[2],
        arguments[3],
        arguments[4],
        Path.of(arguments[5]),
        Path.of(arguments[6]),
        Integer.parseInt(arguments[7]),
        Long.parseLong(arguments[8]),
        Boolean.parseBoolean(arguments[9]),
        new Measured(
            Integer.parseInt(arguments[10]),
            Long.parseLong(arguments[11]),
            Long.parseLong(arguments[12]),
            Long.parseLong(arguments[13])));
  }

  /// The same with a name, output and directories of its own.
  Assignment rehearsal() {
    return new Assignment(
        bootstrap,
        scenario,
        mode,
        input,
        output + REHEARSAL,
        rehearsal(state),
        rehearsal(saved),
        threads,
        cacheBytes,
        soon,
        measured);
  }

  private static Path rehearsal(Path directory) {
    return directory.resolveSibling(directory.getFileName() + REHEARSAL);
  }

  /// The name of the job, its group and what belongs to it; no two runs on a cluster share one.
  public String job() {
    return output + "-job";
  }
}
