package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.Job;
import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.state.blob.FolderBlobs;
import dev.millrace.internal.state.local.HomeDirectory;
import dev.millrace.internal.state.local.LockFile;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is left of applications, by the command.
class AppTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  private final String name = uniqueName("app");

  /// Counts words, behind an exchange.
  private record Counts(String name, String exchange) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").partitions(1).value(Serdes.string()).startAtEarliest())
          .groupBy(exchange, word -> word)
          .count("counts")
          .to(Kafka.sink(name + "-out").partitions(1).key(Serdes.string()).value(Serdes.longs()));
    }
  }

  private JobConfig config() {
    return JobConfig.of(bootstrapServers())
        .withState(StateConfig.in(state()).withFlushInterval(Duration.ofMillis(20)))
        .withSnapshots(
            SnapshotConfig.defaults().withStore(snapshots()).withInterval(Duration.ofMillis(20)));
  }

  private Path state() {
    return directory.resolve("state");
  }

  private Path snapshots() {
    return directory.resolve("snapshots");
  }

  /// Runs an application until it has written something and has a snapshot.
  private void run(String application, String exchange) throws IOException, InterruptedException {
    try (Job job = started(application, exchange)) {
      assertTrue(job.stop(PATIENCE));
    }
  }

  private Job started(String application, String exchange)
      throws IOException, InterruptedException {
    Files.createDirectories(snapshots());
    SharedTopics.create(application + "-in", 1);
    Job job = Millrace.start(new Counts(application, exchange), config());
    int written = 0;
    while (!hasSnapshot(job)) {
      SharedTopics.write(application + "-in", "word");
      SharedTopics.read(application + "-out", ++written);
      Thread.sleep(20);
    }
    return job;
  }

  private static boolean hasSnapshot(Job job) {
    return job.metrics().progress().stream().anyMatch(task -> task.snapshots() > 0);
  }

  private Command app(String command, String... arguments) throws IOException {
    Path config = Files.writeString(directory.resolve("millrace.yaml"), "");
    List<String> all = new ArrayList<>(List.of("app", command));
    all.add("--bootstrap=" + bootstrapServers());
    all.add("--config=" + config);
    all.addAll(List.of(arguments));
    if (all.stream().noneMatch(argument -> argument.startsWith("--state="))) {
      all.add("--state=" + state());
    }
    return Command.run(all.toArray(String[]::new));
  }

  private Command delete(String application, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(application, "--snapshots=" + snapshots()));
    all.addAll(List.of(arguments));
    return app("delete", all.toArray(String[]::new));
  }

  private List<String> ownTopics(String application, String exchange) {
    return List.of(
        application + "." + exchange + "-exchange",
        application + "-changelog",
        application + "-claims",
        application + "-versions",
        application + "-members",
        application + "-placement");
  }

  private boolean exists(String topic) throws InterruptedException {
    try (Cluster cluster = Cluster.connect(bootstrapServers(), Map.of())) {
      return cluster.topic(topic) != null;
    }
  }

  private void await(String topic, boolean there) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (exists(topic) != there) {
      assertTrue(System.nanoTime() < end, topic);
      Thread.sleep(50);
    }
  }

  /// Returns what is known of the only container, whose plan is the recorded one.
  private Cluster.ContainerStatus containerStatus() throws InterruptedException {
    try (Cluster cluster = Cluster.connect(bootstrapServers(), Map.of())) {
      Cluster.Application application = Objects.requireNonNull(cluster.application(name));
      SortedMap<String, Cluster.ContainerStatus> found = cluster.status(application);
      assertEquals(1, found.size());
      Cluster.ContainerStatus status = Objects.requireNonNull(found.firstEntry()).getValue();
      assertEquals(ProcessHandle.current().pid(), status.sign().pid());
      assertEquals(
          Objects.requireNonNull(cluster.recorded(cluster.called(name)).plan()).hash(),
          status.sign().plan());
      return status;
    }
  }

  private static void assertSays(Command run, int status, String... parts) {
    assertEquals(status, run.status(), run.out());
    for (String part : parts) {
      assertTrue(run.out().contains(part), () -> "No '" + part + "' in " + run.out());
    }
  }

  @Test
  void anApplicationIsListedAndDeletedAndNothingElse() throws IOException, InterruptedException {
    // Their exchanges would have one name if application and exchange were joined by '-'.
    run(name, "b-c");
    run(name + "-b", "c");
    List<String> mine = ownTopics(name, "b-c");
    List<String> others = ownTopics(name + "-b", "c");
    Path home = state().resolve(name);

    Command list = app("list");
    assertSays(list, ExitCode.DONE, String.join(", ", mine), String.join(", ", others));
    assertSays(list, ExitCode.DONE, ", has ended", home.toString(), "free");

    Command asked = delete(name);
    assertSays(asked, ExitCode.DONE, mine.toArray(String[]::new));
    assertSays(asked, ExitCode.DONE, home.toString(), "blobs of snapshots", "--yes");
    for (String other : others) {
      assertFalse(asked.out().contains(other), asked.out());
    }
    for (String topic : mine) {
      assertTrue(exists(topic), topic);
    }
    assertTrue(Files.exists(home.resolve("tasks")));

    Command done = delete(name, "--yes");
    assertSays(done, ExitCode.DONE, "Deleted.", "transactional ids");
    for (String topic : mine) {
      await(topic, false);
    }
    for (String topic : others) {
      assertTrue(exists(topic), topic);
    }
    assertTrue(exists(name + "-in") && exists(name + "-out"), "inputs and results stay");
    assertFalse(Files.exists(home));
    assertTrue(Files.exists(state().resolve(name + "-b").resolve("OWNER")));
    assertEquals(List.of(name + "-b"), applicationsWithSnapshots());
    assertSays(delete(name), ExitCode.USAGE, "No application '" + name + "' has run");
  }

  private List<String> applicationsWithSnapshots() {
    return new FolderBlobs(snapshots())
        .list("").stream()
            .map(blob -> blob.name().substring(0, blob.name().indexOf('/')))
            .distinct()
            .toList();
  }

  @Test
  void anApplicationThatRunsIsNotDeleted() throws IOException, InterruptedException {
    try (Job job = started(name, "words")) {
      assertSays(app("list"), ExitCode.DONE, name, "in use");
      Cluster.ContainerStatus running = containerStatus();
      assertTrue(running.beats());
      assertSays(app("list"), ExitCode.DONE, running.sign().plan());
      Command local = delete(name, "--yes");
      assertSays(local, ExitCode.TAKEN, "is running", "Nothing was deleted");
      // As from another host, which has none of the state.
      Command elsewhere = delete(name, "--yes", "--state=" + directory.resolve("elsewhere"));
      assertSays(elsewhere, ExitCode.TAKEN, " has been running on ", "Nothing was deleted");
      assertSays(app("collect", "--yes"), ExitCode.DONE, "its application exists");
      for (String topic : ownTopics(name, "words")) {
        assertTrue(exists(topic), topic);
      }
      assertTrue(job.stop(PATIENCE));
      assertFalse(containerStatus().beats());
    }
  }

  @Test
  void theStateOfDeletedApplicationsIsCollectedAndNoOther()
      throws IOException, InterruptedException {
    run(name, "words");
    Path mine = state().resolve(name);
    OwnerFile.Owner owner = Objects.requireNonNull(OwnerFile.read(mine));
    String gone = uniqueName("gone");
    Path deleted = place(gone, owned(gone, owner.cluster(), gone + "-changelog", "some-id"));
    Path recreated =
        place("recreated", owned("recreated", owner.cluster(), owner.changelog(), "x"));
    Path elsewhere = place("elsewhere", owned("elsewhere", "another-cluster", "a", "some-id"));
    Path unproven = place("unproven", null);
    Path moved = place("moved", owned(gone, owner.cluster(), gone + "-changelog", "some-id"));
    Path mixed = place("mixed", owned("mixed", owner.cluster(), gone + "-changelog", "some-id"));
    Files.writeString(mixed.resolve("thesis.txt"), "years of work");
    Path former =
        placeFormer(
            "former", formerlyOwned("former", owner.cluster(), "former-changelog", "an-id"));
    Path misplaced =
        placeFormer(
            "misplaced", formerlyOwned(gone, owner.cluster(), gone + "-changelog", "an-id"));
    Path both = place("both", owned("both", owner.cluster(), "both-changelog", "some-id"));
    Path formerOfBoth =
        placeFormer("both", formerlyOwned("both", owner.cluster(), "both-changelog", "some-id"));
    Path held = place("held", owned("held", owner.cluster(), "held-changelog", "some-id"));

    Command asked = app("collect");
    assertSays(asked, ExitCode.DONE, deleted + " would be removed", "--yes");
    assertTrue(Files.exists(deleted));

    Command done;
    try (HomeDirectory _ = HomeDirectory.share(held)) {
      done = app("collect", "--yes");
    }
    assertSays(done, ExitCode.DONE, deleted + " was removed", recreated + " was removed");
    assertSays(done, ExitCode.DONE, former + " was removed", held + " is kept: it is in use");
    assertSays(done, ExitCode.DONE, both + " was removed", formerOfBoth + " was removed");
    assertSays(done, ExitCode.DONE, mine + " is kept: its application exists");
    assertSays(done, ExitCode.DONE, elsewhere + " is kept: it belongs to cluster another-cluster");
    assertSays(done, ExitCode.DONE, unproven + " is kept: it has no file that names its owner");
    assertSays(
        done,
        ExitCode.DONE,
        moved + " is kept: it belongs to '" + gone + "' and is in the wrong place",
        misplaced + " is kept: it belongs to container 0 of '" + gone + "'");
    assertSays(
        done,
        ExitCode.DONE,
        mixed + " is kept: it contains a file that is not Millrace's: thesis.txt");
    assertFalse(Files.exists(state().resolve(gone)));
    assertFalse(Files.exists(state().resolve("recreated")));
    assertFalse(Files.exists(state().resolve("former")));
    assertFalse(Files.exists(both));
    for (Path kept : List.of(mine, elsewhere, unproven, moved, mixed, misplaced, held)) {
      assertTrue(Files.exists(kept), kept.toString());
    }
    assertSays(app("collect", "--yes"), ExitCode.DONE, held + " was removed");
    assertSays(app("collect", "--yes"), ExitCode.DONE, "There is nothing to remove");
  }

  private static OwnerFile.Owner owned(
      String application, String cluster, String changelog, String changelogId) {
    return new OwnerFile.Owner(application, cluster, changelog, changelogId);
  }

  private static OwnerFile.Owner formerlyOwned(
      String application, String cluster, String changelog, String changelogId) {
    return new OwnerFile.Owner(application, 0, cluster, changelog, changelogId);
  }

  private Path place(String application, OwnerFile.Owner owner) throws IOException {
    Path home = state().resolve(application);
    try (HomeDirectory shared = HomeDirectory.share(home);
        LockFile _ = shared.holdTask("0-0", Duration.ZERO)) {
      Files.writeString(home.resolve("home.id"), "an-id");
    }
    return placeIn(home, owner);
  }

  /// As earlier versions did.
  private Path placeFormer(String application, OwnerFile.Owner owner) throws IOException {
    Path container = state().resolve(application).resolve("container-0");
    Files.createDirectories(container);
    Files.writeString(container.resolve("LOCK"), "");
    Files.writeString(state().resolve(application).resolve("container-0.id"), "an-id");
    return placeIn(container, owner);
  }

  private static Path placeIn(Path directory, OwnerFile.Owner owner) throws IOException {
    Files.createDirectories(directory.resolve("tasks/0-0"));
    Files.writeString(directory.resolve("tasks/0-0/data"), "some state");
    if (owner != null) {
      OwnerFile.write(directory, owner);
    }
    return directory;
  }
}
