package dev.millrace.internal.yarn;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerReport;
import org.apache.hadoop.yarn.api.records.SignalContainerCommand;
import org.apache.hadoop.yarn.exceptions.YarnException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Stops an application on YARN.
@Command(
    name = "kill",
    mixinStandardHelpOptions = true,
    description = {
      "Stops an application on YARN: its processes are told to stop, and commit what they have"
          + " processed. What has not stopped in time is killed, as YARN kills: a quarter of a"
          + " second after it was told to stop, if the cluster has no other setting.",
      "",
      "Its state stays on the hosts; the next submission of the same name begins there."
    })
final class KillCommand implements Callable<Integer> {
  private static final Duration LOOK = Duration.ofMillis(500);

  @Mixin private final HadoopOptions hadoop = new HadoopOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(paramLabel = "APP", description = "The name of the application, or its id on YARN.")
  private String name;

  @Option(
      names = "--stop-timeout",
      paramLabel = "SECONDS",
      description = "How long the processes may take to stop; default: ${DEFAULT-VALUE}.")
  private long stopSeconds = 60;

  @Option(names = "--now", description = "Kill it without telling the processes to stop first.")
  private boolean now;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws YarnException, IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Session session = hadoop.open()) {
      ApplicationReport report = session.find(name);
      ApplicationId id = report.getApplicationId();
      if (!Session.isAlive(report)) {
        out.println(StatusCommand.ending(report));
        out.flush();
        return Exit.DONE;
      }
      Path run = session.staging().run(id);
      if (!now && stops(session, id, run)) {
        out.println("%s (%s) was stopped in order.".formatted(report.getName(), id));
      } else {
        session.yarn().killApplication(id);
        out.println("%s (%s) was killed.".formatted(report.getName(), id));
      }
      session.staging().remove(run);
      out.flush();
      return Exit.DONE;
    }
  }

  /// Tells all processes to stop, those too that are started meanwhile.
  ///
  /// @return whether they have in time
  private boolean stops(Session session, ApplicationId id, Path run)
      throws YarnException, IOException, InterruptedException {
    session.staging().write(new Path(run, "stop"), "");
    Set<ContainerId> told = new HashSet<>();
    long begunNanos = System.nanoTime();
    while (System.nanoTime() - begunNanos < Duration.ofSeconds(stopSeconds).toNanos()) {
      ApplicationReport report = session.yarn().getApplicationReport(id);
      if (!Session.isAlive(report)) {
        return true;
      }
      for (ContainerReport each : StatusCommand.processes(session, report)) {
        if (told.add(each.getContainerId())) {
          session
              .yarn()
              .signalToContainer(each.getContainerId(), SignalContainerCommand.GRACEFUL_SHUTDOWN);
        }
      }
      Thread.sleep(LOOK);
    }
    return false;
  }
}
