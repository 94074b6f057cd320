package dev.millrace.internal.yarn;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ContainerReport;
import org.apache.hadoop.yarn.exceptions.YarnException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows what has become of an application on YARN, and where its containers are.
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the state of an application on YARN, and its containers with their hosts and logs. The"
          + " status is 0 while it runs or if it has ended in order, else 1.",
      "",
      "'millrace placement' shows which of its processes has which task."
    })
final class StatusCommand implements Callable<Integer> {
  @Mixin private final HadoopOptions hadoop = new HadoopOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(paramLabel = "APP", description = "The name of the application, or its id on YARN.")
  private String name;

  @Option(names = "--wait", description = "Wait until it has ended, and show how.")
  private boolean wait;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws YarnException, IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Session session = hadoop.open()) {
      ApplicationReport report = session.find(name);
      if (wait || !Session.isAlive(report)) {
        return SubmitCommand.await(session, report.getApplicationId(), out);
      }
      ApplicationAttemptId attempt = report.getCurrentApplicationAttemptId();
      out.println(
          "%s (%s) is %s, in queue %s, attempt %d. Its page: %s"
              .formatted(
                  report.getName(),
                  report.getApplicationId(),
                  report.getYarnApplicationState(),
                  report.getQueue(),
                  attempt.getAttemptId(),
                  report.getTrackingUrl()));
      for (ContainerReport each : containers(session, report)) {
        boolean master = isMaster(report, each);
        out.println(
            "  %s on %s%s%n    %s"
                .formatted(
                    each.getContainerId(),
                    each.getAssignedNode().getHost(),
                    master ? ", the master" : "",
                    each.getLogUrl()));
      }
      out.flush();
      return Exit.DONE;
    }
  }

  /// Returns whether a container is that of the master: each attempt's first one.
  private static boolean isMaster(ApplicationReport report, ContainerReport container) {
    ApplicationAttemptId attempt = report.getCurrentApplicationAttemptId();
    return container.getContainerId().getApplicationAttemptId().equals(attempt)
        && container.getPriority().getPriority() == 0;
  }

  /// Returns the containers that live, those of former attempts too.
  static List<ContainerReport> containers(Session session, ApplicationReport report)
      throws YarnException, IOException {
    ApplicationAttemptId attempt = report.getCurrentApplicationAttemptId();
    return session.yarn().getContainers(attempt).stream()
        .filter(each -> each.getFinishTime() == 0)
        .sorted(Comparator.comparing(ContainerReport::getContainerId))
        .toList();
  }

  /// Returns the containers that live and are not that of the master.
  static List<ContainerReport> processes(Session session, ApplicationReport report)
      throws YarnException, IOException {
    return containers(session, report).stream().filter(each -> !isMaster(report, each)).toList();
  }

  /// Returns how a run has ended, in words.
  static String ending(ApplicationReport report) {
    String why = report.getDiagnostics() == null ? "" : report.getDiagnostics().strip();
    return "%s (%s) has ended: %s.%s"
        .formatted(
            report.getName(),
            report.getApplicationId(),
            report.getFinalApplicationStatus(),
            why.isEmpty() ? "" : " " + why);
  }
}
