package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.api.InvalidTopologyException;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.reset.Rename;
import dev.millrace.internal.engine.reset.ResetException;
import dev.millrace.internal.engine.versions.ApplicationNames;
import dev.millrace.internal.engine.versions.PlanRefusedException;
import dev.millrace.spi.Clock;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Gives an application another name.
@Command(
    name = "rename",
    mixinStandardHelpOptions = true,
    description = {
      "Renames a stopped application and keeps its state: the next start is that of the program"
          + " with the new name, and a program with the former name is refused.",
      "",
      "Nothing is copied. Topics, the consumer group, transactional ids, local state and snapshots"
          + " keep the name that the application had first; logs, metrics and commands use the new"
          + " one. To undo it, rename the application back.",
    })
final class AppRenameCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "The directory with local state; default: state.directory.")
  private @Nullable Path state;

  @Parameters(index = "0", paramLabel = "OLD", description = "What the application is called.")
  private String from = "";

  @Parameters(index = "1", paramLabel = "NEW", description = "What it is to be called.")
  private String to = "";

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use((found, job) -> {
      try {
        return rename(found, job);
      } catch (InvalidTopologyException | PlanRefusedException | ResetException e) {
        throw new UserException(ExitCode.USAGE, String.valueOf(e.getMessage()));
      }
    });
  }

  private int rename(Cluster found, JobConfig job) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Rename rename = new Rename(found.log(), Clock.system(), Cluster::pause);
    ApplicationNames.Found known = rename.find(from);
    if (known.now().equals(to) && (known.isFormer() || known.isNow())) {
      out.println("The application is called '%s' already.".formatted(to));
      out.flush();
      return ExitCode.DONE;
    }
    Cluster.Application application = found.application(from);
    if (application == null) {
      throw new UserException(
          ExitCode.USAGE,
          "No application '%s' has run on cluster %s. 'millrace app list' shows the applications that have."
              .formatted(from, found.id()));
    }
    Belongings.find(found, application, state == null ? job.state().directory() : state, null, out)
        .requireStopped("Nothing was changed.");
    rename.rename(known, to);
    out.println(
        "Application '%s' is called '%s' now. Its topics, its local state and its snapshots keep their names, which begin with '%s'."
            .formatted(from, to, application.storage()));
    out.flush();
    return ExitCode.DONE;
  }
}
