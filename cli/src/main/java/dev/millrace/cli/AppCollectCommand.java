package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.reset.Reset;
import dev.millrace.internal.engine.reset.ResetException;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log.TopicInfo;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Removes local state whose application was deleted, and the state of operators that were removed.
@Command(
    name = "collect",
    mixinStandardHelpOptions = true,
    description = {
      "Removes from this host the local state of applications that were deleted from the cluster,"
          + " because their changelog topic was deleted or created again. State that is in use,"
          + " belongs to another cluster, or cannot be proven to be Millrace's is kept.",
      "",
      "With NAME and --store, it removes the state of stores that the application does not have any"
          + " more (parked stores) from its changelog. The application must be stopped.",
      "",
      "Without --yes, it only prints what would be removed.",
    })
final class AppCollectCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "The directory with local state; default: state.directory.")
  private @Nullable Path state;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "With --store, the application.")
  private @Nullable String name;

  @Option(
      names = "--store",
      split = ",",
      paramLabel = "STORE",
      description = "A parked store, as 'millrace plan --diff' names it. May be repeated.")
  private Set<String> stores = new TreeSet<>();

  @Option(names = "--yes", description = "Remove the state.")
  private boolean yes;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (stores.isEmpty() != (name == null)) {
      throw new ParameterException(
          spec.commandLine(), "Give both the name of an application and --store, or neither.");
    }
    if (name != null) {
      return collectStores(name);
    }
    return cluster.use((found, job) -> {
      PrintWriter out = spec.commandLine().getOut();
      Path directory = directory(job);
      int removable = 0;
      for (LocalState each : LocalState.under(directory)) {
        String kept = reasonToKeep(each, found);
        if (!kept.isEmpty()) {
          out.println("%s is kept: %s.".formatted(each.path(), kept));
        } else if (!yes) {
          removable++;
          out.println("%s would be removed: %s".formatted(each.path(), deleted(each)));
        } else if (each.remove()) {
          removable++;
          out.println("%s was removed: %s".formatted(each.path(), deleted(each)));
        } else {
          out.println("%s is kept: it is in use.".formatted(each.path()));
        }
      }
      if (removable == 0) {
        out.println("There is nothing to remove in " + directory + ".");
      } else if (!yes) {
        out.println("Nothing was removed. Run the command with --yes to remove it.");
      }
      out.flush();
      return ExitCode.DONE;
    });
  }

  private int collectStores(String application) throws InterruptedException {
    return cluster.use((found, job) -> {
      PrintWriter out = spec.commandLine().getOut();
      Cluster.Application known = found.application(application);
      if (known == null) {
        throw new UserException(
            ExitCode.USAGE,
            "No application '%s' has run on cluster %s. 'millrace app list' shows the applications that have."
                .formatted(application, found.id()));
      }
      try (Reset reset = new Reset(known.called(), found.log(), Clock.system(), Cluster::pause)) {
        requireParked(reset);
        Belongings.find(found, known, directory(job), null, out)
            .requireStopped("Nothing was changed.");
        if (!yes) {
          out.println(
              "The state of %s of '%s' would be removed. Run the command with --yes to remove it."
                  .formatted(String.join(", ", stores), application));
          out.flush();
          return ExitCode.DONE;
        }
        reset.bar();
        long removed =
            reset.removeParked(stores, so -> out.println("%,d entries removed".formatted(so)));
        out.println(
            "Removed the state of %s: %,d entries. Local state follows at the next start."
                .formatted(String.join(", ", stores), removed));
        out.flush();
        return ExitCode.DONE;
      } catch (ResetException e) {
        throw new UserException(ExitCode.FAILED, String.valueOf(e.getMessage()));
      }
    });
  }

  private void requireParked(Reset reset) {
    try {
      reset.requireParked(stores);
    } catch (ResetException e) {
      throw new UserException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private Path directory(JobConfig job) {
    return state == null ? job.state().directory() : state;
  }

  private static String deleted(LocalState state) {
    return "%d bytes of '%s', which was deleted".formatted(state.sizeBytes(), state.application());
  }

  /// Empty if nothing speaks for keeping it.
  private static String reasonToKeep(LocalState state, Cluster cluster) {
    OwnerFile.Owner owner = state.owner();
    if (owner == null) {
      return state.doubt();
    }
    if (!owner.cluster().equals(cluster.id())) {
      return "it belongs to cluster %s, and this is cluster %s"
          .formatted(owner.cluster(), cluster.id());
    }
    TopicInfo changelog = cluster.topic(owner.changelog());
    if (changelog != null && changelog.id().equals(owner.changelogId())) {
      return "its application exists";
    }
    return state.held() ? "it is in use" : "";
  }
}
