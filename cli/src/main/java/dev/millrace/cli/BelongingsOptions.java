package dev.millrace.cli;

import dev.millrace.config.JobConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The places of an application's state outside the cluster.
final class BelongingsOptions {
  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "The directory with local state; default: state.directory.")
  private @Nullable Path state;

  @Option(
      names = "--snapshots",
      paramLabel = "DIR",
      description = "The folder with snapshots; default: snapshots.store.")
  private @Nullable Path snapshots;

  /// Returns the state of an application.
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
