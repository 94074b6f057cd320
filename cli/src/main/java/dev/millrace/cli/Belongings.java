package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.state.blob.FolderBlobs;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.internal.state.snapshot.SnapshotOwner;
import dev.millrace.spi.BlobException;
import dev.millrace.spi.BlobStore;
import dev.millrace.spi.Log.TopicInfo;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The state of an application outside its topics: directories on this host and snapshots.
///
/// @param local the directories that are proven to be the application's, of this cluster
/// @param folder with snapshots; null if there is none
/// @param blobs of the application's snapshots
record Belongings(
    Cluster cluster,
    Cluster.Application application,
    List<LocalState> local,
    @Nullable Path folder,
    List<String> blobs) {

  static Belongings find(
      Cluster cluster,
      Cluster.Application application,
      Path state,
      @Nullable Path folder,
      PrintWriter out) {
    return new Belongings(
        cluster,
        application,
        local(cluster, application.storage(), state, out),
        folder,
        folder == null ? List.of() : blobs(folder, application));
  }

  private static List<LocalState> local(
      Cluster cluster, String application, Path state, PrintWriter out) {
    List<LocalState> proven = new ArrayList<>();
    for (LocalState each : LocalState.under(state)) {
      OwnerFile.Owner owner = each.owner();
      if (!each.application().equals(application)) {
        continue;
      }
      if (owner == null) {
        out.println("%s is kept: %s.".formatted(each.path(), each.doubt()));
      } else if (!owner.cluster().equals(cluster.id())) {
        out.println(
            "%s is kept: it belongs to cluster %s.".formatted(each.path(), owner.cluster()));
      } else {
        proven.add(each);
      }
    }
    return proven;
  }

  private static List<String> blobs(Path folder, Cluster.Application application) {
    TopicInfo changelog = application.changelog();
    if (changelog == null) {
      return List.of();
    }
    try {
      return new FolderBlobs(folder)
          .list(SnapshotOwner.prefix(application.storage())).stream()
              .map(BlobStore.Blob::name)
              .filter(blob -> {
                SnapshotOwner owner = SnapshotOwner.of(blob);
                return owner != null && owner.topicId().equals(changelog.id());
              })
              .toList();
    } catch (BlobException e) {
      throw new UserException(ExitCode.FAILED, String.valueOf(e.getMessage()));
    }
  }

  /// @param unchanged says that nothing was done
  /// @throws UserException if a process of the application runs
  void requireStopped(String unchanged) throws InterruptedException {
    for (LocalState each : local) {
      if (each.held()) {
        throw running("a process on this host holds " + each.path(), unchanged);
      }
    }
    for (ProcessSign each : cluster.alive(application).values()) {
      throw running(
          "container %s has been running on %s (process %d) since %s"
              .formatted(each.container(), each.host(), each.pid(), each.since()),
          unchanged);
    }
  }

  private UserException running(String why, String unchanged) {
    return new UserException(
        ExitCode.TAKEN,
        "Application '%s' is running: %s. Stop it first. %s"
            .formatted(application.name(), why, unchanged));
  }

  void show(PrintWriter out) {
    local.forEach(each -> out.println("  " + each.path() + ", " + each.sizeBytes() + " bytes"));
    if (!blobs.isEmpty()) {
      out.println("  %d blobs of snapshots in %s".formatted(blobs.size(), folder));
    }
  }

  /// Removes the snapshots, then the directories.
  void remove() {
    if (!blobs.isEmpty()) {
      FolderBlobs store = new FolderBlobs(Objects.requireNonNull(folder));
      try {
        blobs.forEach(store::delete);
      } catch (BlobException e) {
        throw new UserException(ExitCode.FAILED, String.valueOf(e.getMessage()));
      }
    }
    for (LocalState each : local) {
      if (!each.remove()) {
        throw running("a process on this host has just taken " + each.path(), "");
      }
    }
  }
}
