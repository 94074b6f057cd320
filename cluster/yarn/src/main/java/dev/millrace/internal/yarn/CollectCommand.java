package dev.millrace.internal.yarn;

import dev.millrace.internal.yarn.fleet.FleetPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ContainerReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.exceptions.YarnException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Removes from all hosts of a cluster the state of applications that were deleted.
@Command(
    name = "collect",
    mixinStandardHelpOptions = true,
    description = {
      "Runs 'millrace app collect' once on every host of the cluster: it removes the state of"
          + " applications that were deleted from Kafka. State that is in use, belongs to another"
          + " cluster of Kafka, or cannot be proven to be Millrace's is kept.",
      "",
      "It also removes what ended runs have left in HDFS.",
      "",
      "  millrace yarn collect --yes -- --bootstrap kafka:9092",
      "",
      "Without --yes, the hosts only log what would be removed. What follows '--' is for 'millrace"
          + " app collect'."
    })
final class CollectCommand implements Callable<Integer> {
  /// The property with the class path of the command `millrace`.
  static final String CLASS_PATH = "millrace.command.classpath";

  private static final String NAME = "millrace-collect";
  private static final String MAIN = "dev.millrace.cli.Main";
  private static final Duration LOOK = Duration.ofMillis(500);

  /// Longer than anybody waits: a host is not replaced by another one.
  private static final Duration ALWAYS = Duration.ofDays(1);

  @Mixin private final HadoopOptions hadoop = new HadoopOptions();

  @Mixin private final SubmitCommand.Resources resources = new SubmitCommand.Resources();

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "The directory for state on every host; default: ${DEFAULT-VALUE}.")
  private String state = "/var/lib/millrace";

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      description = "How long to wait for all hosts; default: ${DEFAULT-VALUE}.")
  private long patienceSeconds = 300;

  @Option(names = "--yes", description = "Remove the state.")
  private boolean yes;

  @Parameters(paramLabel = "FLAG", description = "Where Kafka is, such as --bootstrap HOST:PORT.")
  private List<String> flags = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws YarnException, IOException, InterruptedException {
    String classPath = System.getProperty(CLASS_PATH);
    if (classPath == null) {
      throw new YarnProblem(
          Exit.USAGE,
          "The class path of the command 'millrace' is not known. Run this as 'millrace yarn"
              + " collect'.");
    }
    PrintWriter out = spec.commandLine().getOut();
    try (Session session = hadoop.open()) {
      if (session.living(NAME) != null) {
        throw new YarnProblem(
            Exit.TAKEN, "Somebody else collects: '%s' runs on YARN already.".formatted(NAME));
      }
      List<String> hosts =
          session.yarn().getNodeReports(NodeState.RUNNING).stream()
              .map(node -> node.getNodeId().getHost())
              .distinct()
              .sorted()
              .toList();
      ApplicationId id =
          new Submission(session, NAME, resources, null)
              .submitToEach(
                  hosts,
                  new Submission.Program(classPath, List.of(), MAIN, arguments()),
                  new TreeMap<>(),
                  FleetPolicy.defaults().withAffinityWait(ALWAYS).withFailures(1, 1));
      int status = await(session, id, hosts, out);
      new StagingCollector(session).collect(out);
      out.flush();
      return status;
    }
  }

  private List<String> arguments() {
    List<String> all = new ArrayList<>(List.of("app", "collect", "--state", state));
    if (yes) {
      all.add("--yes");
    }
    all.addAll(flags);
    return all;
  }

  private int await(Session session, ApplicationId id, List<String> hosts, PrintWriter out)
      throws YarnException, IOException, InterruptedException {
    SortedMap<String, String> logs = new TreeMap<>();
    long begunNanos = System.nanoTime();
    while (true) {
      ApplicationReport report = session.yarn().getApplicationReport(id);
      if (!Session.isAlive(report)) {
        out.println(StatusCommand.ending(report));
        logs.forEach((host, log) -> out.println("  %s: %s".formatted(host, log)));
        return switch (report.getFinalApplicationStatus()) {
          case SUCCEEDED -> Exit.DONE;
          case UNDEFINED, FAILED, KILLED, ENDED -> Exit.FAILED;
        };
      }
      if (report.getYarnApplicationState() == YarnApplicationState.RUNNING) {
        for (ContainerReport each : StatusCommand.processes(session, report)) {
          logs.put(each.getAssignedNode().getHost(), each.getLogUrl());
        }
      }
      if (System.nanoTime() - begunNanos > Duration.ofSeconds(patienceSeconds).toNanos()) {
        session.yarn().killApplication(id);
        List<String> missing = new ArrayList<>(hosts);
        missing.removeAll(logs.keySet());
        throw new YarnProblem(
            Exit.FAILED,
            "Not all hosts had room within %d s; those without a container so far: %s. Run this again when they have some, or with more --patience."
                .formatted(patienceSeconds, missing));
      }
      Thread.sleep(LOOK);
    }
  }

  /// Returns the states of runs that have ended.
  static EnumSet<YarnApplicationState> ended() {
    return EnumSet.of(
        YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);
  }
}
