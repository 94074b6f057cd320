package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.engine.versions.Deployment;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Returns to the version before a change.
@Command(
    name = "rollback",
    mixinStandardHelpOptions = true,
    description = {
      "Ends a change of an application that is being rolled out by a return to the version before"
          + " it. What the change added is parked.",
      "",
      "It moves no process: containers with the new version work on until they are stopped. Start"
          + " them with the version before, in any order. Starts of the new version are refused"
          + " from then on, unless the change is accepted again."
    })
final class DeployRollbackCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "NAME", description = "The application.")
  private String name;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use((found, job) -> {
      PrintWriter out = spec.commandLine().getOut();
      Deployment open = Rollout.recorded(found, name).requireOpen();
      if (!Rollout.deployments(found, name).rollBack(open)) {
        throw new UserException(
            ExitCode.FAILED,
            "Another change of '%s' was recorded meanwhile, so nothing was rolled back. Look at 'millrace deploy status %s'."
                .formatted(name, name));
      }
      out.println(
          "'%s' is returned to plan %s. Stop its containers with the new version, and start them with the version before."
              .formatted(name, open.from()));
      out.flush();
      return ExitCode.DONE;
    });
  }
}
