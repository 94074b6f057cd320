package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.commit.DiskPosition;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.internal.state.snapshot.SnapshotOwner;
import dev.millrace.internal.state.snapshot.SnapshotStore;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.blob.ModelBlobs;
import dev.millrace.testkit.disk.ModelFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A host and its disk are lost; the task goes on elsewhere from its snapshot.
class SnapshotRecoveryTest {
  private static final int STEPS = 200_000;
  private static final int KEYS = 60;
  private static final String CHANGELOG = "notes-changelog";
  private static final Duration INTERVAL = Duration.ofMillis(60);
  private static final SimulationSettings SETTINGS =
      SimulationSettings.of("in")
          .withEngine(
              SimulationSettings.engineSettings(Duration.ofMillis(20), Duration.ofMillis(30)));

  private final NotesRun notes = new NotesRun(false, SETTINGS);
  private final Simulation simulation = notes.simulation;
  private final ModelBlobs blobs = simulation.snapshots(INTERVAL, Duration.ofMillis(20));
  private final Map<String, String> expected = new TreeMap<>();
  private final Seed random = new Seed(5);

  private TaskMetrics task() {
    return Objects.requireNonNull(simulation.engine(0)).taskMetrics().values().iterator().next();
  }

  private void write(int count) {
    for (int i = 0; i < count; i++) {
      String key = "k" + random.below(KEYS);
      if (random.below(4) == 0) {
        notes.add(key, "delete");
        expected.remove(key);
      } else {
        String value = "v" + random.below(1_000_000);
        notes.add(key, "put " + value);
        expected.put(key, value);
      }
    }
    notes.process();
  }

  /// Runs until there is one snapshot more.
  private void awaitSnapshot() {
    long before = task().snapshots().taken();
    while (task().snapshots().taken() == before) {
      write(1);
      assertTrue(simulation.steps() < STEPS, simulation::state);
    }
  }

  private void loseTheHost() {
    simulation.crash(0, true);
    simulation.cluster().replace(0, simulation.steps());
  }

  private long restoredOffset() {
    return task().snapshots().restoredOffset();
  }

  /// Asks for every note.
  private void requireExact() {
    int before = notes.out().size();
    List<String> wanted = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      notes.add("k" + i, "get");
      wanted.add(expected.getOrDefault("k" + i, "nothing"));
    }
    notes.process();
    simulation.log().advance(Duration.ofSeconds(1));
    assertEquals(wanted, notes.out().subList(before, notes.out().size()));
  }

  /// How many committed records the changelog has from an offset on.
  private long recordsFrom(long offset) {
    return simulation.log().records(CHANGELOG).stream()
        .filter(record -> record.offset() >= offset)
        .count();
  }

  @Test
  void theTailBehindTheSnapshotAloneIsReplayed() {
    for (int i = 0; i < 20; i++) {
      write(30);
    }
    awaitSnapshot();
    write(10);
    loseTheHost();
    simulation.log().advance(Duration.ofSeconds(1)); // markers that are under way become visible
    long whole = recordsFrom(0);
    Map<Long, Long> tails = new TreeMap<>();
    for (String name : blobs.names()) {
      if (name.contains("/0-0/snapshots/")) {
        long offset = Long.parseLong(name.split("/", -1)[4].split("-", -1)[0]);
        tails.put(offset, recordsFrom(offset));
      }
    }
    requireExact();
    Long tail = tails.get(restoredOffset());
    assertEquals(tail, task().restored(), "restored from " + restoredOffset() + " of " + tails);
    assertTrue(tail > 5 && tail < whole / 10, tail + " of " + whole);
  }

  @Test
  void snapshotsCopyWhatIsNew() {
    for (int i = 0; i < 20; i++) {
      write(60);
      awaitSnapshot();
    }
    long taken = task().snapshots().taken();
    long copied = task().snapshots().copiedBytes();
    assertTrue(taken >= 20, taken + " snapshots");
    assertTrue(task().snapshots().lastOffset() > 100);
    assertEquals(0, task().snapshots().failed());
    assertTrue(blobs.putBytes() >= copied, "the manifests come on top");
    assertEquals(2, blobs.names().stream().filter(name -> name.contains("/snapshots/")).count());
    loseTheHost();
    requireExact();
    assertTrue(restoredOffset() > 0);
  }

  @Test
  void withTheBlobStoreAwayTheChangelogIsReplayed() {
    write(100);
    awaitSnapshot();
    loseTheHost();
    blobs.failing(1);
    requireExact();
    assertEquals(-1, restoredOffset());
    assertTrue(task().snapshots().failed() > 0);
    assertTrue(task().restored() > 50, "all of it is replayed");
  }

  @Test
  void withTheBlobStoreAwayTheJobGoesOn() {
    blobs.failing(1);
    for (int i = 0; i < 20; i++) {
      write(30);
    }
    assertTrue(task().snapshots().failed() > 2, task().snapshots().failed() + " failures");
    assertEquals(0, task().snapshots().taken());
    blobs.failing(0);
    awaitSnapshot();
    loseTheHost();
    requireExact();
    assertTrue(restoredOffset() > 0);
  }

  @Test
  void fetchingGoesOnAfterAFailure() {
    for (int i = 0; i < 10; i++) {
      write(60);
    }
    awaitSnapshot();
    loseTheHost();
    blobs.failing(0.1);
    requireExact();
    blobs.failing(0);
    assertTrue(restoredOffset() > 0);
  }

  @Test
  void damagedBlobsAreNotUsed() {
    write(100);
    awaitSnapshot();
    loseTheHost();
    for (String name : blobs.names()) {
      blobs.flipBit(name, 8L * (blobs.lengthOf(name) / 2));
    }
    requireExact();
    assertEquals(-1, restoredOffset());
  }

  @Test
  void aSnapshotBehindWhichDeletionsMayBeGoneIsNotUsed() {
    write(100);
    awaitSnapshot();
    notes.add("k1", "delete").process();
    expected.remove("k1");
    simulation.crash(0, true);
    simulation.log().advance(Duration.ofHours(13));
    simulation.cluster().replace(0, simulation.steps());
    requireExact();
    assertEquals(-1, restoredOffset());
  }

  @Test
  void aLocalDiskThatIsTooOldIsReplacedByAYoungSnapshot() {
    write(100);
    simulation.crash(0, false);
    ModelFiles old = simulation.files(0);
    simulation.log().advance(Duration.ofHours(13));
    // Meanwhile the task runs elsewhere. Then it comes back to the host with the old disk.
    simulation.cluster().replace(0, simulation.steps());
    write(100);
    awaitSnapshot();
    write(5);
    simulation.crash(0, true);
    simulation.moveTo(0, old);
    requireExact();
    assertTrue(restoredOffset() > 0, "It was not made of the snapshot.");
    assertTrue(task().restored() < 50, task().restored() + " records were replayed");
  }

  @Test
  void aCorruptDiskIsReplacedByASnapshot() {
    write(100);
    awaitSnapshot();
    simulation.crash(0, false);
    ModelFiles files = simulation.files(0);
    for (String name : files.names()) {
      files.flipBit(name, 8L * (files.lengthOf(name) / 2));
    }
    requireExact();
    assertTrue(restoredOffset() > 0);
  }

  @Test
  void aRecreatedChangelogHasNoSnapshots() {
    write(100);
    awaitSnapshot();
    simulation.crash(0, true);
    simulation.log().deleteTopic(CHANGELOG);
    Topics.missing(simulation.log(), Topics.needed(simulation.plan(), SETTINGS.engine().errors()))
        .forEach(simulation.log()::createTopic);
    simulation.cluster().replace(0, simulation.steps());
    write(20);
    // All input is read again, as there is no commit record.
    assertEquals(-1, restoredOffset());
    assertEquals(0, task().restored());
  }

  @Test
  void aSnapshotBeyondTheEndOfTheChangelogIsNotUsed() {
    write(100);
    awaitSnapshot();
    simulation.crash(0, true);
    simulation.log().truncate(new Split(CHANGELOG, 0), 1);
    simulation.cluster().replace(0, simulation.steps());
    for (int i = 0; i < 2_000 && simulation.engine(0) != null; i++) {
      simulation.step();
    }
    assertEquals(-1, restoredOffset());
  }

  /// What was corrupt on a disk when it was copied is corrupt in the snapshot, and has the right
  /// hash.
  @Test
  void aSnapshotOfACorruptDiskIsUsedOnceAndThenTheChangelog() throws IOException {
    write(100);
    awaitSnapshot();
    simulation.crash(0, false);
    blobs.names().forEach(blobs::remove);
    ModelFiles files = simulation.files(0);
    String topicId =
        Objects.requireNonNull(simulation.log().topics(List.of(CHANGELOG)).get(CHANGELOG)).id();
    try (Disks disks = new SortedRunDisks(files.mount(), 4);
        Disk disk = disks.open("0-0");
        DiskImage image = Objects.requireNonNull(disk.image())) {
      for (DiskImage.File file : image.files()) {
        if (file.lasting()) {
          files.flipBit("0-0." + file.name(), 8 * 9);
        }
      }
      SnapshotOwner owner = new SnapshotOwner(simulation.plan().application(), topicId, "0-0");
      new SnapshotStore(blobs, owner, _ -> {})
          .put(image, DiskPosition.read(image.position()).offset());
    }
    simulation.cluster().replace(0, simulation.steps());
    requireExact();
    assertTrue(restoredOffset() > 0, "No snapshot was used.");
    assertTrue(task().restored() > 50, "The changelog was not replayed.");
  }
}
