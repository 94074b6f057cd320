package dev.millrace.beam.portable;

import java.util.ArrayList;
import java.util.List;

/// What a job server is told when it starts.
///
/// @param host the name or address on which it listens; harnesses are on the same machine always
/// @param port on which it listens; 0 for any that is free
/// @param parallelism how many tasks each part of a pipeline has that does not say it
/// @param settings of applications, such as `commit.interval=100ms`; those of a pipeline come after
///   them
public record JobServerOptions(String host, int port, int parallelism, List<String> settings) {
  /// What the command line may say.
  public static final String USAGE =
      """
      Takes pipelines of Apache Beam by its job API, and runs them.

      Options:
        --host=HOST           name or address on which to listen; 127.0.0.1 by default
        --port=PORT           8099 by default; 0 for any that is free
        --parallelism=TASKS   how many tasks each part of a pipeline has that does not say it; 2 by
                              default
        --settings=KEY=VALUE  a setting of all pipelines, as often as needed, such as
                              kafka.bootstrap.servers=HOST:9092
        --help                show this
      """;

  /// Returns what is so if nothing is said.
  public static JobServerOptions defaults() {
    return new JobServerOptions("127.0.0.1", 8099, 2, List.of());
  }

  /// Returns the options with another port.
  public JobServerOptions withPort(int other) {
    return new JobServerOptions(host, other, parallelism, settings);
  }

  /// Returns the options of a command line.
  ///
  /// @throws IllegalArgumentException if there is one that is not known, or wrong
  public static JobServerOptions of(List<String> args) {
    JobServerOptions options = defaults();
    List<String> settings = new ArrayList<>();
    for (String each : args) {
      int equals = each.indexOf('=');
      String name = equals < 0 ? each : each.substring(0, equals);
      String value = equals < 0 ? "" : each.substring(equals + 1);
      switch (name) {
        case "--host" ->
            options =
                new JobServerOptions(value, options.port, options.parallelism, options.settings);
        case "--port" -> options = options.withPort(number(name, value, 0));
        case "--parallelism" ->
            options =
                new JobServerOptions(
                    options.host, options.port, number(name, value, 1), options.settings);
        case "--settings" -> settings.add(value);
        default ->
            throw new IllegalArgumentException(
                "The option '%s' is not known.%n%n%s".formatted(each, USAGE));
      }
    }
    return new JobServerOptions(
        options.host, options.port, options.parallelism, List.copyOf(settings));
  }

  private static int number(String name, String value, int least) {
    try {
      int number = Integer.parseInt(value);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException _) {
      // It is said below what is wrong.
    }
    throw new IllegalArgumentException(
        "%s=%s is no number from %d on.".formatted(name, value, least));
  }
}
