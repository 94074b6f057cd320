package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.JobConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Which dead letters a command is about.
final class LetterOptions {
  @Parameters(
      arity = "0..1",
      paramLabel = "APPLICATION",
      description = "The application that wrote the dead letters.")
  private @Nullable String application;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "The topic with the dead letters, if it is not that of the application.")
  private @Nullable String topic;

  @Option(
      names = "--operator",
      paramLabel = "TEXT",
      description = "Only letters of operators whose name contains this text.")
  private String operator = "";

  @Option(
      names = "--cause",
      paramLabel = "TEXT",
      description = "Only letters whose cause contains this text.")
  private String cause = "";

  @Option(
      names = "--from-topic",
      paramLabel = "TOPIC",
      description = "Only letters of records from this topic.")
  private String source = "";

  @Option(
      names = "--offsets",
      paramLabel = "FROM-TO",
      description = "Only letters at these offsets of the dead-letter topic, both included.")
  private @Nullable String offsets;

  private long from;
  private long to = Long.MAX_VALUE;

  /// Returns the topic of the dead letters.
  ///
  /// @param servers the address of the cluster, which is asked how the application is stored
  String topic(String servers, JobConfig job) {
    if ((application == null) == (topic == null)) {
      throw new UserException(
          ExitCode.USAGE, "Name the application, or the topic of its dead letters with --topic.");
    }
    readOffsets();
    return application == null
        ? String.valueOf(topic)
        : job.errors()
            .deadLetterTopicOf(Cluster.storage(servers, job.kafka().properties(), application));
  }

  private void readOffsets() {
    if (offsets == null) {
      return;
    }
    if (!offsets.matches("[0-9]{1,18}(-[0-9]{1,18})?")) {
      throw new UserException(
          ExitCode.USAGE,
          "--offsets takes one offset, or two with a dash between; found " + offsets + ".");
    }
    String[] ends = offsets.split("-", -1);
    from = Long.parseLong(ends[0]);
    to = Long.parseLong(ends[ends.length - 1]);
  }

  boolean choose(Letter letter) {
    return letter.offset() >= from
        && letter.offset() <= to
        && letter.operator().contains(operator)
        && letter.cause().contains(cause)
        && (source.isEmpty() || letter.topic().equals(source));
  }
}
