package dev.millrace;

import dev.millrace.api.StreamApplication;
import dev.millrace.config.JobConfig;
import dev.millrace.config.LogConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.runtime.Around;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Starts applications.
public final class Millrace {
  private Millrace() {}

  /// Runs an application in this process until it ends; for `main`.
  ///
  /// The configuration is read from `millrace.yaml`, the environment and the arguments; `--help`
  /// describes them. Returns when the job's bounded input has ended. On SIGTERM and SIGINT, the job
  /// commits and the process ends with status 0, or with 5 if that takes longer than
  /// `stop.timeout`. A failure is printed on standard error and ends the process with a code of
  /// [ExitCode].
  public static void run(StreamApplication application, String... arguments) {
    int status =
        new Launch(application, System.out, System.err).run(List.of(arguments), System.getenv());
    if (status != ExitCode.DONE) {
      System.exit(status);
    }
  }

  /// Starts an application in this process, without Kafka, and returns at once: on a log in memory
  /// of its own, which begins without topics and is gone when the job has ended. For applications
  /// that read from elsewhere, such as files. See [#local(StreamApplication, LocalLog, JobConfig)].
  public static Job local(StreamApplication application) {
    return start(application, inMemory(JobConfig.defaults()), null, Around.engine());
  }

  /// Starts an application in this process, without Kafka, with defaults for everything, and
  /// returns at once. See [#local(StreamApplication, LocalLog, JobConfig)].
  public static Job local(StreamApplication application, LocalLog log) {
    return local(application, log, JobConfig.defaults());
  }

  /// Starts an application in this process, without Kafka, and returns at once. Its topics are
  /// those of a log in memory, and so are its changelogs and exchanges; its state is in memory,
  /// too. An input begins with its earliest record, unless its source or the configuration says
  /// otherwise.
  ///
  /// Results are exactly-once while the process lives: what fails is repeated from the last commit.
  /// With the process everything is lost. No other process can take part.
  ///
  /// ```java
  /// try (LocalLog log = new LocalLog()) {
  ///   log.createTopic("lines", 4);
  ///   LocalTopic<String, String> lines = log.topic("lines", Serdes.string(), Serdes.string());
  ///   lines.send("a", "the mill and the race");
  ///   Job job = Millrace.local(new WordCount(), log, JobConfig.defaults());
  /// }
  /// ```
  ///
  /// @param config of which `log` and what concerns Kafka have no effect
  public static Job local(StreamApplication application, LocalLog log, JobConfig config) {
    return start(application, inMemory(config), log, Around.engine());
  }

  private static JobConfig inMemory(JobConfig config) {
    return config.withLog(config.log().withKind(LogConfig.Kind.MEMORY));
  }

  /// Starts an application in this process and returns at once. No file, variable or argument is
  /// read. A failure of the start is returned by [Job#failure].
  public static Job start(StreamApplication application, JobConfig config) {
    return start(application, config, Around.engine());
  }

  /// Starts an application whose log, disks and clock are wrapped. For tests and benchmarks that
  /// count, delay or drop calls to them.
  ///
  /// @param around receives the surroundings that the engine would run on, and returns those that
  ///   it runs on
  static Job start(
      StreamApplication application, JobConfig config, UnaryOperator<Surroundings> around) {
    return start(application, config, null, around);
  }

  /// @param local the log in memory that the program has; null if it has none
  static Job start(
      StreamApplication application,
      JobConfig config,
      @Nullable LocalLog local,
      UnaryOperator<Surroundings> around) {
    Job job = new Job(application, config, local, around);
    job.begin();
    return job;
  }
}
