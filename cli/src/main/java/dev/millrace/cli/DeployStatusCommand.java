package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.engine.versions.Deployment;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows whether a change of an application is being rolled out, and which containers have it.
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Shows whether a change of an application is being rolled out, what it does to the state, and"
          + " which version each container runs.",
      "",
      "It waits a few seconds for signs of life of the containers."
    })
final class DeployStatusCommand implements Callable<Integer> {
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
      Deployment open = rollout.open();
      if (open == null) {
        out.println(
            "No change of '%s' is being rolled out. Its plan is %s."
                .formatted(name, rollout.current().hash()));
      } else {
        out.println(
            "A change of '%s' is being rolled out since %s: plan %s to %s."
                .formatted(
                    name,
                    Instant.ofEpochMilli(open.sinceMillis()),
                    open.from(),
                    rollout.current().hash()));
        rollout.changes().forEach(line -> out.println("  " + line));
      }
      containers(rollout, out);
      if (open != null) {
        out.println();
        out.println(
            "Values are written so that the version before can read them. End this with 'millrace deploy finalize %1$s' when all containers run the new version, or return with 'millrace deploy rollback %1$s'."
                .formatted(name));
      }
      out.flush();
      return ExitCode.DONE;
    });
  }

  private static void containers(Rollout rollout, PrintWriter out) {
    out.println();
    TextTable table = new TextTable("container", "version", "lives", "process");
    rollout
        .containers()
        .forEach((name, container) -> {
          ProcessSign sign = container.sign();
          table.add(
              name,
              rollout.version(container),
              container.beats() ? "yes" : sign.released() ? "has ended" : "no",
              "%s, process %d, since %s".formatted(sign.host(), sign.pid(), sign.since()));
        });
    table.print(out);
  }
}
