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
      "Removes the local state on this host of applications that were deleted from the cluster:"
          + " whose changelog is gone, or is another one by now. What is in use, of another"
          + " cluster, or not proven to be Millrace's stays.",
      "",
      "Without --yes it only says what would be removed.",
    })
final class AppCollectCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "The directory with local state; state.directory if not given.")
  private @Nullable Path state;

  @Option(names = "--yes", description = "Remove it.")
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
          out.println("%s stays: %s.".formatted(each.path(), kept));
        } else if (!yes) {
          removable++;
          out.println("%s would be removed: %s".formatted(each.path(), deleted(each)));
        } else if (each.remove()) {
          removable++;
          out.println("%s was removed: %s".formatted(each.path(), deleted(each)));
        } else {
          out.println("%s stays: it is in use.".formatted(each.path()));
        }
      }
      if (removable == 0) {
        out.println("There is nothing to remove in " + directory + ".");
      } else if (!yes) {
        out.println("Nothing was removed. Say --yes to remove it.");
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
      return "it is of cluster %s, and this is %s".formatted(owner.cluster(), cluster.id());
    }
    TopicInfo changelog = cluster.topic(owner.changelog());
    if (changelog != null && changelog.id().equals(owner.changelogId())) {
      return "its application exists";
    }
    return state.held() ? "it is in use" : "";
  }
}
