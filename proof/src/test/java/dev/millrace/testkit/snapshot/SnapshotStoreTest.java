package dev.millrace.testkit.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.state.snapshot.SnapshotManifest;
import dev.millrace.internal.state.snapshot.SnapshotOwner;
import dev.millrace.internal.state.snapshot.SnapshotStore;
import dev.millrace.spi.BlobException;
import dev.millrace.spi.DiskImage;
import dev.millrace.testkit.blob.ModelBlobs;
import dev.millrace.testkit.time.VirtualClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SnapshotStoreTest {
  private static final long SEED = 13;

  private final VirtualClock clock = new VirtualClock();
  private final ModelBlobs blobs = new ModelBlobs(1, clock);
  private final SnapshotBench bench = new SnapshotBench(SEED, blobs);

  private SnapshotBench fetched() {
    return SnapshotBench.fetched(SEED, blobs);
  }

  private SnapshotStore.Put putAt(long position) throws IOException {
    bench.ingestTo(position);
    return bench.put();
  }

  private List<String> manifests() {
    return blobs.names().stream().filter(name -> name.contains("/snapshots/")).toList();
  }

  private List<String> contents() {
    return blobs.names().stream().filter(name -> name.contains("/blobs/")).toList();
  }

  private static Set<String> blobsOf(SnapshotStore.Put... snapshots) {
    Set<String> names = new TreeSet<>();
    for (SnapshotStore.Put each : snapshots) {
      each.manifest().files().forEach(file -> names.add("app/Topic-Id_1/1-3/blobs/" + file.hash()));
    }
    return names;
  }

  @Test
  void aDiskMadeOfTheNewestSnapshotIsThatPrefixOfTheChangelog() throws IOException {
    putAt(5);
    putAt(9);
    SnapshotBench other = fetched();
    other.check(9, "fetched");
    other.ingestTo(12);
    other.put();
    fetched().check(12, "fetched from the other");
    assertEquals(List.of(), other.warnings);
  }

  @Test
  void onlyWhatIsNewIsCopied() throws IOException {
    SnapshotStore.Put first = putAt(3);
    assertEquals(first.manifest().sizeBytes(), first.copiedBytes());
    long before = blobs.putBytes();
    SnapshotStore.Put second = putAt(4);
    Set<String> added = blobsOf(second);
    added.removeAll(blobsOf(first));
    assertEquals(2, added.size(), "the new run and the disk's manifest");
    long manifest = blobs.putBytes() - before - second.copiedBytes();
    assertTrue(manifest > 0 && manifest < 1000, manifest + " bytes");
    assertTrue(second.copiedBytes() < second.manifest().sizeBytes() / 2, second.toString());
    assertEquals(0, bench.put().copiedBytes(), "nothing is new");
  }

  @Test
  void whatLastsIsReadOnce() throws IOException {
    bench.ingestTo(4);
    List<String> opened = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      try (DiskImage image = bench.image()) {
        bench.put(new Watched(image, opened));
      }
    }
    List<String> runs = opened.stream().filter(name -> name.startsWith("run-")).toList();
    assertEquals(2 * new TreeSet<>(runs).size(), runs.size(), "to hash it and to copy it");
    long manifest = opened.stream().filter(name -> name.equals("manifest")).count();
    assertEquals(4, manifest, "hashed each time, copied once");
  }

  @Test
  void twoSnapshotsAreKeptAndWhatTheyName() throws IOException {
    SnapshotStore.Put before = putAt(1);
    SnapshotStore.Put last = before;
    for (int position = 2; position < 40; position++) {
      clock.advance(SnapshotBench.GRACE.plusSeconds(1));
      before = last;
      last = putAt(position);
      assertEquals(2, manifests().size());
    }
    // What the collector saw last was younger than the grace time when the one before was put.
    assertTrue(contents().containsAll(blobsOf(before, last)));
    assertTrue(contents().size() < 12, () -> contents().size() + " blobs");
    clock.advance(SnapshotBench.GRACE.plusSeconds(1));
    SnapshotStore.Put next = putAt(40);
    assertEquals(blobsOf(last, next), new TreeSet<>(contents()));
    fetched().check(40, "the newest");
  }

  @Test
  void whatIsYoungIsLeftAloneWhoeverPutIt() throws IOException {
    putAt(3);
    byte[] content = {1, 2, 3};
    String foreign = "app/Topic-Id_1/1-3/blobs/of-somebody-else";
    clock.advance(SnapshotBench.GRACE.multipliedBy(3));
    blobs.put(foreign, content.length, new ByteArrayInputStream(content));
    putAt(4);
    assertTrue(contents().contains(foreign));
    clock.advance(SnapshotBench.GRACE.plusSeconds(1));
    putAt(5);
    assertFalse(contents().contains(foreign));
  }

  @Test
  void aBrokenBlobLeadsToTheOlderSnapshotAndIsMendedByTheNext() throws IOException {
    SnapshotStore.Put first = putAt(3);
    SnapshotStore.Put second = putAt(4);
    Set<String> added = blobsOf(second);
    added.removeAll(blobsOf(first));
    String broken = added.iterator().next();
    blobs.flipBit(broken, 13);
    SnapshotBench other = fetched();
    other.check(3, "the older one");
    assertEquals(1, other.warnings.size(), other.warnings.toString());
    assertTrue(other.warnings.getFirst().contains(broken), other.warnings.toString());
    bench.put();
    fetched().check(4, "mended");
  }

  @Test
  void aBlobThatIsMissingOrCutLeadsToTheOlderSnapshotAndIsMendedByTheNext() throws IOException {
    SnapshotStore.Put first = putAt(3);
    SnapshotStore.Put second = putAt(4);
    Set<String> added = blobsOf(second);
    added.removeAll(blobsOf(first));
    for (String each : added) {
      blobs.remove(each);
      fetched().check(3, "one is missing");
      bench.put();
      fetched().check(4, "mended");
      blobs.truncate(each, 5);
      bench.put();
      fetched().check(4, "mended although nobody fetched it");
      blobs.truncate(each, 5);
      fetched().check(3, "one is cut");
      bench.put();
      fetched().check(4, "mended again");
    }
  }

  @Test
  void aBrokenManifestLeadsToTheOlderSnapshot() throws IOException {
    putAt(3);
    putAt(4);
    String newest = manifests().getLast();
    for (int bit : new int[] {0, 40, 100, 900}) {
      blobs.flipBit(newest, bit);
      fetched().check(3, "bit " + bit);
      blobs.flipBit(newest, bit);
    }
    fetched().check(4, "it is whole again");
    blobs.truncate(newest, 7);
    fetched().check(3, "it is cut");
  }

  @Test
  void aManifestOfAnotherTaskIsNotTaken() throws IOException {
    putAt(3);
    String name = manifests().getFirst();
    try (InputStream in = blobs.open(name)) {
      byte[] bytes = in.readAllBytes();
      String elsewhere = name.replace("/1-3/", "/1-4/");
      blobs.put(elsewhere, bytes.length, new ByteArrayInputStream(bytes));
    }
    List<String> warnings = new ArrayList<>();
    SnapshotStore other =
        new SnapshotStore(blobs, new SnapshotOwner("app", "Topic-Id_1", "1-4"), warnings::add);
    assertNull(other.fetch(new NoStage(), _ -> true));
    assertEquals(1, warnings.size(), warnings.toString());
  }

  @Test
  void aSnapshotThatIsNotWantedIsPassedOver() throws IOException {
    putAt(3);
    putAt(7);
    SnapshotBench other = new SnapshotBench(SEED, blobs);
    assertNull(other.fetch(manifest -> manifest.offset() > 100));
    other.check(0, "none");
    SnapshotManifest fetched = other.fetch(manifest -> manifest.offset() < 7);
    assertNotNull(fetched);
    assertEquals(3, fetched.offset());
    other.check(3, "the older one");
    assertEquals(List.of(), other.warnings);
  }

  @Test
  void whatWasFetchedIsNotFetchedAgain() throws IOException {
    SnapshotStore.Put put = putAt(4);
    long whole = put.manifest().sizeBytes();
    SnapshotBench other = new SnapshotBench(SEED, blobs);
    blobs.failing(0.4);
    int failures = 0;
    long openedBefore = blobs.openedBytes();
    while (other.position() == 0) {
      try {
        other.fetch(_ -> true);
      } catch (BlobException e) {
        assertEquals(BlobException.Kind.UNAVAILABLE, e.kind());
        other.check(0, "nothing is published");
        failures++;
      }
    }
    assertTrue(failures > 1, failures + " failures");
    other.check(4, "after all");
    long manifests = (failures + 1) * 1000L;
    assertTrue(
        blobs.openedBytes() - openedBefore <= whole + manifests, "the files were fetched again");
  }

  @Test
  void aBlobThatALateDeletionTakesIsPutBack() throws IOException {
    bench.ingestTo(4);
    int deleted = 0;
    for (int round = 0; round < 30; round++) {
      bench.ingestTo(4 + round);
      SnapshotStore.Put put = bench.put();
      blobs.deletingLate(true);
      String victim = blobsOf(put).iterator().next();
      blobs.delete(victim);
      try {
        bench.put();
      } catch (BlobException e) {
        assertEquals(BlobException.Kind.UNAVAILABLE, e.kind());
      }
      blobs.deletingLate(false);
      for (int i = 0; i < 41; i++) {
        blobs.list("");
      }
      deleted += blobs.names().contains(victim) ? 0 : 1;
      SnapshotBench other = fetched();
      long position = other.position();
      other.check(position, "round " + round);
      bench.put();
      fetched().check(4 + round, "mended in round " + round);
    }
    assertTrue(deleted < 30, "It was never put back.");
  }

  @Test
  void namesAreChecked() {
    for (String wrong : List.of("", ".", "..", "a/b", "../a", "A b", "-a", "ä")) {
      assertThrows(IllegalArgumentException.class, () -> new SnapshotOwner(wrong, "t", "1-1"));
    }
    for (String wrong : List.of("", ".", "..", "a/b", "a.b", "a b")) {
      assertThrows(IllegalArgumentException.class, () -> new SnapshotOwner("a", wrong, "1-1"));
      assertThrows(IllegalArgumentException.class, () -> new SnapshotOwner("a", "t", wrong));
    }
    assertEquals(new SnapshotOwner("a", "-T_", "1-1"), SnapshotOwner.of("a/-T_/1-1/blobs/0011"));
    assertNull(SnapshotOwner.of("a/-T_/1-1/0011"));
    assertNull(SnapshotOwner.of("A/-T_/1-1/blobs/0011"));
    assertNull(SnapshotOwner.of("a/-T_/1-1/other/0011"));
  }
}
