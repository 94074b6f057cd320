package dev.millrace.cli;

import dev.millrace.config.JobConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where an application has what does not lie on the cluster.
final class BelongingsOptions {
  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "The directory with local state; state.directory if not given.")
  private @Nullable Path state;

  @Option(
      names = "--snapshots",
      paramLabel = "DIR",
      description = "The folder with snapshots; snapshots.store if not given.")
  private @Nullable Path snapshots;

  /// What an application keeps.
  ///
  /// @param out is told what is left alone
  Belongings of(Cluster cluster, Cluster.Application application, JobConfig job, PrintWriter out) {
    return Belongings.find(
        cluster,
        application,
        state == null ? job.state().directory() : state,
        snapshots == null ? job.snapshots().store() : snapshots,
        out);
  }
}
