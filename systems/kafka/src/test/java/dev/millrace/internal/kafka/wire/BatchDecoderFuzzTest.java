package dev.millrace.internal.kafka.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.BatchPool;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Answers of brokers, changed in every way that came to mind, and then decoded: either a
/// [CorruptBatchException] comes of it, or the very records that Kafka's own classes find in the
/// same bytes. That ours refuse more is right: the formats before 2, batches that lie below or
/// above each other in the wrong order or before what was asked for, an answer without one whole
/// batch (the official consumer finds that one step later), a record whose offset is not in its
/// batch, a negative length other than -1, a marker that is compressed.
///
/// What neither can see, as the checksum of a batch does not cover its first 17 bytes: another base
/// offset or leader epoch that would be possible as well.
///
/// Each case follows from its seed. A failure says which it was; `-Dfuzz.seed=` that number runs it
/// alone.
class BatchDecoderFuzzTest {
  private static final int ANSWERS = 500;
  private static final long FROM = 1_000_000_000L;

  /// What decoding may allocate for answers of a few KB; buffers for unpacking are most of it, and
  /// blocks of LZ4 may have 4 MB.
  private static final long MOST_ALLOCATED = 24L << 20;

  private static final FetchedBytes[] BASES = new FetchedBytes[ANSWERS];

  static {
    for (int i = 0; i < ANSWERS; i++) {
      BASES[i] = FetchedBytes.of(i);
    }
  }

  private enum End {
    /// As the official classes do, and as without the change.
    UNCHANGED,
    /// As the official classes do, but not as without the change.
    CHANGED,
    /// Both say that it is corrupt.
    CORRUPT,
    /// Only ours does.
    STRICTER
  }

  private final BatchPool pool = new BatchPool();
  private final Map<Mutation, Map<End, Integer>> ends = new EnumMap<>(Mutation.class);
  private long mostAllocated;

  @Test
  void nothingButWhatKafkaFindsIsFoundInChangedBytes() {
    fuzz(4_000);
  }

  @Test
  @Tag("thorough")
  void nothingButWhatKafkaFindsIsFoundInAMillionChangedAnswers() {
    fuzz(1_000_000);
  }

  private void fuzz(int cases) {
    Long only = Long.getLong("fuzz.seed");
    if (only != null) {
      one(only);
      return;
    }
    long start = System.nanoTime();
    for (long seed = FROM; seed < FROM + cases; seed++) {
      one(seed);
    }
    System.out.printf(
        "%d changed answers in %d s, at most %d KB allocated for one:%n",
        cases, (System.nanoTime() - start) / 1_000_000_000, mostAllocated >> 10);
    ends.forEach((mutation, counts) -> System.out.println("  " + mutation + " " + counts));
    assertEquals(Set.of(End.UNCHANGED), ends.get(Mutation.NONE).keySet());
    for (Mutation mutation : Mutation.values()) {
      int all = ends.get(mutation).values().stream().mapToInt(Integer::intValue).sum();
      assertTrue(all > cases / 20, () -> "Too few of " + mutation + ": " + ends);
      boolean refused = count(End.CORRUPT, mutation) + count(End.STRICTER, mutation) > all / 20;
      boolean bytes = mutation != Mutation.NONE && mutation != Mutation.ABORTED;
      assertEquals(bytes, refused, () -> mutation + ": " + ends);
    }
    for (End end : End.values()) {
      int all = Stream.of(Mutation.values()).mapToInt(each -> count(end, each)).sum();
      assertTrue(all > cases / 20, () -> "Too few ended " + end + ": " + ends);
    }
  }

  private int count(End end, Mutation mutation) {
    return ends.get(mutation).getOrDefault(end, 0);
  }

  private void one(long seed) {
    Random random = new Random(seed);
    FetchedBytes base = BASES[random.nextInt(ANSWERS)];
    FetchedBytes other = BASES[random.nextInt(ANSWERS)];
    Mutation mutation = Mutation.ALL.get(random.nextInt(Mutation.ALL.size()));
    try {
      End end = check(base, mutation.apply(base, other, random));
      ends.computeIfAbsent(mutation, each -> new EnumMap<>(End.class)).merge(end, 1, Integer::sum);
      // outermost: whatever it is, the seed must be told
    } catch (RuntimeException | Error e) {
      throw new AssertionError("-Dfuzz.seed=" + seed + " (" + mutation + ")", e);
    }
  }

  private End check(FetchedBytes base, FetchedBytes changed) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    OurRead ours = new OurRead(changed, pool);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    mostAllocated = Math.max(mostAllocated, allocated);
    assertTrue(allocated < MOST_ALLOCATED, () -> "It allocated " + allocated + " bytes.");
    OfficialRead theirs = new OfficialRead(changed);
    if (ours.failure != null) {
      String message = ours.failure.getMessage();
      assertTrue(message.contains("fuzzed-3"), message);
      // What came before is handed out, and nothing else.
      int count = Math.min(ours.records.size(), theirs.records.size());
      assertEquals(theirs.records.subList(0, count), ours.records);
      assertEquals(theirs.epochs.subList(0, count), ours.epochs);
      return theirs.failure == null ? End.STRICTER : End.CORRUPT;
    }
    if (theirs.failure != null) {
      throw new AssertionError("Found by Kafka's classes alone", theirs.failure);
    }
    assertEquals(theirs.records, ours.records);
    assertEquals(theirs.epochs, ours.epochs);
    assertEquals(Math.max(theirs.next, changed.next()), ours.next);
    OfficialRead original = new OfficialRead(base);
    return original.records.equals(ours.records) ? End.UNCHANGED : End.CHANGED;
  }
}
