package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.spi.Log.TopicInfo;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Removes local state whose application was deleted.
@Command(
    name = "collect",
    mixinStandardHelpOptions = true,
    description = {
      "Removes from this host the local state of applications that were deleted from the cluster,"
          + " because their changelog topic was deleted or created again. State that is in use,"
          + " belongs to another cluster, or cannot be proven to be Millrace's is kept.",
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

  @Option(names = "--yes", description = "Remove the state.")
  private boolean yes;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use((found, job) -> {
      PrintWriter out = spec.commandLine().getOut();
      Path directory = state == null ? job.state().directory() : state;
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
