package dev.millrace.examples.change;

import dev.millrace.ExitCode;
import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.Millrace;
import dev.millrace.config.ConfigLoader;
import dev.millrace.config.JobConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// A version of [Visits] in a process of its own, which is killed.
///
///     ChangedJob <version> <rollout file> [<setting>...]
///
/// As long as a change is being rolled out, by what it has heard of it, the file has a line `1.0`
/// at its end, and `0.0` otherwise. It ends with its standard input.
public final class ChangedJob {
  private static final int OWN_ARGUMENTS = 2;
  private static final int ORPHANED = 99;
  private static final int LOOK_MILLIS = 100;

  private ChangedJob() {}

  public static void main(String[] args) throws Exception {
    List<String> settings = Arrays.asList(args).subList(OWN_ARGUMENTS, args.length);
    JobConfig config = new ConfigLoader(Path.of(""), Map.of()).load(settings).job();
    Thread.ofPlatform().daemon().start(ChangedJob::endWithParent);
    Job job = Millrace.start(Version.valueOf(args[0]).application(), config);
    Thread.ofPlatform().daemon().start(() -> say(job, Path.of(args[1])));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(job)));
    job.await();
    JobFailure failure = job.failure();
    if (failure != null) {
      System.err.println(failure.message());
      System.exit(failure.exitCode());
    }
  }

  /// Ends as `Millrace.run` does when it is asked to.
  private static void close(Job job) {
    if (job.failure() == null) {
      job.close();
      Runtime.getRuntime().halt(ExitCode.DONE);
    }
  }

  private static void say(Job job, Path file) {
    double said = -1;
    while (true) {
      for (var family : job.metrics().families()) {
        if (family.name().equals("millrace_rollout_open") && !family.points().isEmpty()) {
          double open = family.points().getFirst().value();
          if (open != said) {
            said = open;
            write(file, open);
          }
        }
      }
      sleep();
    }
  }

  private static void write(Path file, double open) {
    try {
      Files.writeString(file, open + "\n");
    } catch (IOException e) {
      System.err.println("The file " + file + " cannot be written: " + e.getMessage());
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Standard input ends with the process that holds its other end.
  static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is to be heard.
      }
    } catch (IOException e) {
      System.err.println("Standard input cannot be read: " + e.getMessage());
    }
    Runtime.getRuntime().halt(ORPHANED);
  }
}
