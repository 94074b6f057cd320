package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.versions.Deployment;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Ends a change of an application, which cannot be rolled back then.
@Command(
    name = "finalize",
    mixinStandardHelpOptions = true,
    description = {
      "Ends a change of an application that is being rolled out. Containers write the formats of"
          + " the new version then, and the version before cannot be returned to.",
      "",
      "It is refused while a container runs another version."
    })
final class DeployFinalizeCommand implements Callable<Integer> {
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
      List<String> others = new ArrayList<>();
      boolean done =
          Rollout.deployments(found, name)
              .finish(
                  open,
                  current -> {
                    others.addAll(others(found, current));
                    return others.isEmpty() && !Thread.currentThread().isInterrupted();
                  });
      if (!others.isEmpty()) {
        throw new UserException(
            ExitCode.USAGE,
            "Of the containers of '%s', %s run another version than the new one, and could not read what is written then. Nothing was changed. Start them with the new version first; 'millrace deploy status %s' shows what each runs."
                .formatted(name, others, name));
      }
      if (!done) {
        throw new UserException(
            ExitCode.FAILED,
            "The change of '%s' was not finalized: another one was recorded meanwhile, or Kafka did not answer. Look at 'millrace deploy status %s'."
                .formatted(name, name));
      }
      out.println(
          "The change of '%s' is finalized. Running containers write the new formats within seconds."
              .formatted(name));
      out.flush();
      return ExitCode.DONE;
    });
  }

  private List<String> others(Cluster found, PlanDescription current) {
    try {
      return Rollout.of(found, name).others(current);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
