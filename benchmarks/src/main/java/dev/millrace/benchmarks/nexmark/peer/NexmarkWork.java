package dev.millrace.benchmarks.nexmark.peer;

import dev.millrace.benchmarks.nexmark.generator.Settings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What an engine is to do.
///
/// @param name of the job; no two runs on a cluster share one
/// @param query such as `q5`
/// @param events that are made, or stand in the input
/// @param topics those of events and results
/// @param bootstrap address of Kafka
/// @param state directory for local state
/// @param saved directory for what outlives it
/// @param threads that process
/// @param splits of the source
/// @param cacheBytes for objects or blocks of the process
/// @param measured what of it counts
public record NexmarkWork(
    String name,
    String query,
    Settings events,
    Topics topics,
    String bootstrap,
    Path state,
    Path saved,
    int threads,
    int splits,
    long cacheBytes,
    Measured measured) {

  private static final String REHEARSAL = "-rehearsal";

  /// Events a second that no engine reaches on a few processors.
  private static final long FASTEST = 50_000_000;

  /// Where events come from and results go; without any, both stay in the process.
  ///
  /// @param input empty if the events are made in the process
  /// @param output empty if results are only added up
  public record Topics(String input, String output) {
    /// Of events that are made in the process.
    public static final Topics NONE = new Topics("", "");

    public boolean none() {
      return input.isEmpty();
    }
  }

  /// @param rehearsalSeconds how long the same is done first
  /// @param from events after which the measurement begins; it ends with the job
  public record Measured(int rehearsalSeconds, long from) {}

  /// As the arguments of a process.
  public List<String> arguments() {
    List<Object> all =
        List.of(
            name,
            query,
            events.seed(),
            events.events(),
            events.eventsPerSecond(),
            events.start(),
            topics.input,
            topics.output,
            bootstrap,
            state,
            saved,
            threads,
            splits,
            cacheBytes,
            measured.rehearsalSeconds,
            measured.from);
    List<String> arguments = new ArrayList<>();
    all.forEach(each -> arguments.add(each.toString()));
    return arguments;
  }

  static NexmarkWork of(String[] arguments) {
    return new NexmarkWork(
        arguments[0],
        arguments[1],
        new Settings(
            Long.parseLong(arguments[2]),
            Long.parseLong(arguments[3]),
            Long.parseLong(arguments[4]),
            Instant.parse(arguments[5])),
        new Topics(arguments[6], arguments[7]),
        arguments[8],
        Path.of(arguments[9]),
        Path.of(arguments[10]),
        Integer.parseInt(arguments[11]),
        Integer.parseInt(arguments[12]),
        Long.parseLong(arguments[13]),
        new Measured(Integer.parseInt(arguments[14]), Long.parseLong(arguments[15])));
  }

  /// The same with output and directories of its own. Events that are made do not end before the
  /// rehearsal does; of a topic all are read.
  NexmarkWork rehearsal() {
    return new NexmarkWork(
        name + REHEARSAL,
        query,
        topics.none() ? events.withEvents(measured.rehearsalSeconds * FASTEST) : events,
        topics.none() ? topics : new Topics(topics.input, topics.output + REHEARSAL),
        bootstrap,
        rehearsal(state),
        rehearsal(saved),
        threads,
        splits,
        cacheBytes,
        measured);
  }

  private static Path rehearsal(Path directory) {
    return directory.resolveSibling(directory.getFileName() + REHEARSAL);
  }
}
