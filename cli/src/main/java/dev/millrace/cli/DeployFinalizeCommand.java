package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.engine.versions.Deployment;
import java.io.PrintWriter;
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
      Rollout rollout = Rollout.of(found, name);
      Deployment open = rollout.requireOpen();
      List<Integer> others = rollout.others();
      if (!others.isEmpty()) {
        throw new UserException(
            ExitCode.USAGE,
            "Of the containers of '%s', %s run another version than the new one, and could not read what is written then. Nothing was changed. Start them with the new version first; 'millrace deploy status %s' shows what each runs."
                .formatted(name, others, name));
      }
      if (!Rollout.deployments(found, name).finish(open)) {
        throw new UserException(
            ExitCode.FAILED,
            "Another change of '%s' was recorded meanwhile, so nothing was finalized. Look at 'millrace deploy status %s'."
                .formatted(name, name));
      }
      out.println(
          "The change of '%s' is finalized. Running containers write the new formats within seconds."
              .formatted(name));
      out.flush();
      return ExitCode.DONE;
    });
  }
}
