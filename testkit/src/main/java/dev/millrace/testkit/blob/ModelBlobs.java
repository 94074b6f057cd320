package dev.millrace.testkit.blob;

import dev.millrace.spi.BlobException;
import dev.millrace.spi.BlobStore;
import dev.millrace.testkit.disk.ModelCrash;
import dev.millrace.testkit.time.VirtualClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/// A blob store in memory that fails on demand, in virtual time.
///
/// Any number of clients use it at once. Its faults are those of a network in front of a store:
/// requests that take long ([#slow]), that fail and have happened or not ([#failing]), deletions
/// that come much later ([#deletingLate]), and clients that die in a request ([#crashAfter]). The
/// same seed and the same calls give the same run. Thread-safe.
public final class ModelBlobs implements BlobStore {
  private static final int LATEST = 40;

  private final Random random;
  private final VirtualClock clock;
  private final NavigableMap<String, Held> blobs = new TreeMap<>();
  private final List<Deletion> deletions = new ArrayList<>();
  private Duration slowness = Duration.ZERO;
  private double failing;
  private boolean deletingLate;
  private long operations;
  private long crashAt = Long.MAX_VALUE;
  private long putBytes;
  private long openedBytes;

  private record Held(byte[] content, long modifiedMillis) {}

  private record Deletion(String name, long atOperation) {}

  public ModelBlobs(long seed, VirtualClock clock) {
    random = new Random(seed);
    this.clock = clock;
  }

  /// Lets every request take up to that long.
  public synchronized void slow(Duration atMost) {
    slowness = atMost;
  }

  /// Lets requests fail. Each that fails has happened or not.
  ///
  /// @param chance that one fails, from 0 to 1
  public synchronized void failing(double chance) {
    failing = chance;
  }

  /// Lets deletions happen up to forty requests after they were answered, whatever was put
  /// meanwhile.
  public synchronized void deletingLate(boolean late) {
    deletingLate = late;
  }

  /// Lets the client die in one of the requests to come.
  ///
  /// @param requests how many it still gets
  public synchronized void crashAfter(int requests) {
    crashAt = operations + requests + 1;
  }

  /// No client dies.
  public synchronized void noCrash() {
    crashAt = Long.MAX_VALUE;
  }

  /// The number of requests so far.
  public synchronized long operations() {
    return operations;
  }

  /// How many bytes were put so far.
  public synchronized long putBytes() {
    return putBytes;
  }

  /// How many bytes were opened for reading so far.
  public synchronized long openedBytes() {
    return openedBytes;
  }

  /// The names of all blobs, in order.
  public synchronized List<String> names() {
    return List.copyOf(blobs.keySet());
  }

  /// In bytes.
  public synchronized int lengthOf(String name) {
    return held(name).content().length;
  }

  /// Inverts one bit of a blob, as a worn medium does.
  public synchronized void flipBit(String name, long bit) {
    byte[] content = held(name).content();
    content[(int) (bit / 8)] ^= (byte) (1 << (bit % 8));
  }

  /// Cuts a blob, as a broken file system does.
  public synchronized void truncate(String name, int length) {
    Held held = held(name);
    byte[] left = new byte[length];
    System.arraycopy(held.content(), 0, left, 0, length);
    blobs.put(name, new Held(left, held.modifiedMillis()));
  }

  /// Deletes a blob behind everybody's back.
  public synchronized void remove(String name) {
    held(name);
    blobs.remove(name);
  }

  @Override
  public synchronized boolean put(String name, long sizeBytes, InputStream content)
      throws IOException {
    BlobStore.checkName(name);
    byte[] bytes = content.readAllBytes();
    if (bytes.length != sizeBytes) {
      throw new IOException(
          "The content of a blob has %d bytes instead of %d.".formatted(bytes.length, sizeBytes));
    }
    begin("putting " + name, () -> putIfAbsent(name, bytes));
    return putIfAbsent(name, bytes);
  }

  @Override
  public synchronized InputStream open(String name) {
    BlobStore.checkName(name);
    begin("opening " + name, () -> {});
    byte[] content = held(name).content();
    openedBytes += content.length;
    return new ByteArrayInputStream(content.clone());
  }

  @Override
  public synchronized List<Blob> list(String prefix) {
    BlobStore.checkPrefix(prefix);
    begin("listing " + prefix, () -> {});
    SortedMap<String, Held> from = blobs.tailMap(prefix);
    List<Blob> found = new ArrayList<>();
    for (Map.Entry<String, Held> each : from.entrySet()) {
      if (!each.getKey().startsWith(prefix)) {
        break;
      }
      Held held = each.getValue();
      found.add(new Blob(each.getKey(), held.content().length, held.modifiedMillis()));
    }
    return found;
  }

  @Override
  public synchronized void delete(String name) {
    BlobStore.checkName(name);
    begin("deleting " + name, () -> deleteSoonerOrLater(name));
    deleteSoonerOrLater(name);
  }

  private boolean putIfAbsent(String name, byte[] bytes) {
    if (blobs.containsKey(name)) {
      return false;
    }
    blobs.put(name, new Held(bytes, clock.millis()));
    putBytes += bytes.length;
    return true;
  }

  private void deleteSoonerOrLater(String name) {
    if (deletingLate) {
      deletions.add(new Deletion(name, operations + random.nextInt(LATEST)));
    } else {
      blobs.remove(name);
    }
  }

  private Held held(String name) {
    Held held = blobs.get(name);
    if (held == null) {
      throw new BlobException(BlobException.Kind.MISSING, "there is no model blob " + name, null);
    }
    return held;
  }

  /// Counts a request and lets it go wrong if that was ordered.
  ///
  /// @param halfway what may have happened if it goes wrong
  private void begin(String what, Runnable halfway) {
    operations++;
    deletions.removeIf(deletion -> {
      if (deletion.atOperation() < operations) {
        blobs.remove(deletion.name());
        return true;
      }
      return false;
    });
    if (slowness.isPositive()) {
      clock.advanceTo(clock.nanos() + random.nextLong(slowness.toNanos()));
    }
    if (operations >= crashAt) {
      crashAt = Long.MAX_VALUE;
      perhaps(halfway);
      throw new ModelCrash("died at request %d, %s".formatted(operations, what));
    }
    if (failing > 0 && random.nextDouble() < failing) {
      perhaps(halfway);
      throw new BlobException(
          BlobException.Kind.UNAVAILABLE,
          "the model blob store failed at request %d, %s".formatted(operations, what),
          null);
    }
  }

  private void perhaps(Runnable halfway) {
    if (random.nextBoolean()) {
      halfway.run();
    }
  }
}
