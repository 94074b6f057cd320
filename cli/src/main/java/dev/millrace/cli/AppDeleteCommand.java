package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.JobConfig;
import dev.millrace.engine.lease.SignOfLife;
import dev.millrace.spi.BlobException;
import dev.millrace.spi.BlobStore;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.state.blob.FolderBlobs;
import dev.millrace.state.snapshot.SnapshotOwner;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Deletes what an application keeps: not what it reads and what it has written.
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    description = {
      "Deletes an application's own topics, its positions, its local state on this host and its"
          + " snapshots. Its inputs and results stay.",
      "",
      "Without --yes it only says what would be deleted.",
    })
final class AppDeleteCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Parameters(paramLabel = "NAME", description = "The application.")
  private String name = "";

  @Option(names = "--yes", description = "Delete it.")
  private boolean yes;

  @Option(names = "--dead-letters", description = "Also its dead-letter topic.")
  private boolean deadLetters;

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

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(this::delete);
  }

  private int delete(Cluster found, JobConfig job) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Cluster.Application application = found.application(name);
    if (application == null) {
      throw new UserException(
          ExitCode.USAGE,
          "No application '%s' has run on cluster %s: 'millrace app list' shows those that have."
              .formatted(name, found.id()));
    }
    List<String> topics = topics(found, application, job);
    List<LocalState> local = local(found, job, out);
    Path folder = snapshots == null ? job.snapshots().store() : snapshots;
    List<String> blobs = folder == null ? List.of() : blobs(folder, application.changelog());
    requireStopped(found, application, local);

    out.println((yes ? "Deleting" : "Would delete") + " of application '" + name + "':");
    topics.forEach(topic -> out.println("  topic " + topic));
    out.println("  positions in consumer group " + name);
    local.forEach(each -> out.println("  " + each.path() + ", " + each.sizeBytes() + " bytes"));
    if (!blobs.isEmpty()) {
      out.println("  %d blobs of snapshots in %s".formatted(blobs.size(), folder));
    }
    int ids = found.transactionalIds(name);
    out.println(
        "Kafka has no way to delete transactional ids; it forgets the %d of this application by itself (transactional.id.expiration.ms)."
            .formatted(ids));
    if (yes) {
      remove(found, topics, local, blobs, folder);
      out.println("Deleted.");
    } else {
      out.println("Nothing was deleted. Say --yes to delete it.");
    }
    out.flush();
    return ExitCode.DONE;
  }

  private List<String> topics(Cluster found, Cluster.Application application, JobConfig job) {
    List<String> topics = new ArrayList<>();
    String letters = job.errors().deadLetterTopicOf(name);
    if (deadLetters && found.topic(letters) != null) {
      topics.add(letters);
    }
    topics.addAll(AppListCommand.ownTopics(application));
    return topics;
  }

  /// The directories that are proven to be the application's, of this cluster.
  private List<LocalState> local(Cluster found, JobConfig job, PrintWriter out) {
    Path directory = state == null ? job.state().directory() : state;
    List<LocalState> proven = new ArrayList<>();
    for (LocalState each : LocalState.under(directory)) {
      if (each.application().equals(name)) {
        if (each.owner() == null) {
          out.println("%s is left alone: %s.".formatted(each.path(), each.doubt()));
        } else if (!each.owner().cluster().equals(found.id())) {
          out.println(
              "%s is left alone: it is of cluster %s."
                  .formatted(each.path(), each.owner().cluster()));
        } else {
          proven.add(each);
        }
      }
    }
    return proven;
  }

  private static List<String> blobs(Path folder, @Nullable TopicInfo changelog) {
    if (changelog == null) {
      return List.of();
    }
    String application =
        changelog.name().substring(0, changelog.name().length() - Cluster.changelog("").length());
    try {
      return new FolderBlobs(folder)
          .list(SnapshotOwner.prefix(application)).stream()
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

  private void requireStopped(
      Cluster found, Cluster.Application application, List<LocalState> local)
      throws InterruptedException {
    for (LocalState each : local) {
      if (each.held()) {
        throw running("a process on this host holds " + each.path());
      }
    }
    for (Map.Entry<Integer, SignOfLife> each : found.alive(application).entrySet()) {
      throw running(
          "container %d lives on %s (process %d) since %s"
              .formatted(
                  each.getKey(),
                  each.getValue().holder().host(),
                  each.getValue().holder().pid(),
                  Instant.ofEpochMilli(each.getValue().holder().sinceMillis())));
    }
  }

  private UserException running(String why) {
    return new UserException(
        ExitCode.TAKEN,
        "Application '%s' is running: %s. Stop it first. Nothing was deleted."
            .formatted(name, why));
  }

  /// The topic that shows that the application exists goes last, so that this can be done again if
  /// it fails in the middle.
  private void remove(
      Cluster found,
      List<String> topics,
      List<LocalState> local,
      List<String> blobs,
      @Nullable Path folder)
      throws InterruptedException {
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
        throw running("a process on this host has just taken " + each.path());
      }
    }
    found.deleteGroup(name);
    List<String> before = topics.subList(0, topics.size() - 1);
    if (!before.isEmpty()) {
      found.deleteTopics(before);
    }
    found.deleteTopics(topics.subList(topics.size() - 1, topics.size()));
  }
}
