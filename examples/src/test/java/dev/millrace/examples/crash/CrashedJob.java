package dev.millrace.examples.crash;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.WrappedJob;
import dev.millrace.api.StreamApplication;
import dev.millrace.config.ConfigLoader;
import dev.millrace.config.JobConfig;
import dev.millrace.examples.flights.DelayedFlights;
import dev.millrace.examples.transfers.Transfers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// A job in a process of its own, which says in a file what it does, and is killed.
///
///     CrashedJob <application> <trace file> <aim> <records per second> <right|planted>
///         [<setting>...]
///
/// A byte on its standard input ends the limit of the pace.
public final class CrashedJob {
  private static final int OWN_ARGUMENTS = 5;
  private static final int ORPHANED = 99;

  private CrashedJob() {}

  public static void main(String[] args) throws InterruptedException {
    StreamApplication application =
        switch (args[0]) {
          case "flights" -> new DelayedFlights();
          case "keys" -> new ManyKeys();
          case "transfers" -> new Transfers(true);
          default -> throw new IllegalArgumentException("There is no application " + args[0]);
        };
    String stream =
        switch (application) {
          case DelayedFlights _ -> DelayedFlights.FLIGHTS;
          case Transfers transfers -> transfers.topic("in");
          default -> ManyKeys.NUMBERS;
        };
    String planted = args[4].equals("planted") ? application.name() + "-changelog" : null;
    List<String> settings = Arrays.asList(args).subList(OWN_ARGUMENTS, args.length);
    JobConfig config = new ConfigLoader(Path.of(""), Map.of()).load(settings).job();
    TraceFile trace = new TraceFile(Path.of(args[1]), Aim.of(args[2]));
    trace.add("started");
    Pace pace = new Pace(Integer.parseInt(args[3]));
    Thread.ofPlatform().daemon().start(() -> endWithParent(pace));
    Job job = WrappedJob.start(application, config, new Instrumented(trace, stream, pace, planted));
    Runtime.getRuntime().addShutdownHook(new Thread(job::close, "stop")); // on SIGTERM
    job.await();
    JobFailure failure = job.failure();
    if (failure != null) {
      trace.add("failed " + failure.exitCode());
      System.err.println(failure.message());
      System.exit(failure.exitCode());
    }
    trace.add("completed, with %d late records".formatted(job.metrics().late()));
  }

  /// Standard input ends with the process that holds its other end.
  private static void endWithParent(Pace pace) {
    try {
      while (System.in.read() >= 0) {
        pace.hurry();
      }
    } catch (IOException e) {
      System.err.println("Standard input cannot be read: " + e.getMessage());
    }
    Runtime.getRuntime().halt(ORPHANED);
  }
}
