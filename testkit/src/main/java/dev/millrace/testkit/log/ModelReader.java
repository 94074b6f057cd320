package dev.millrace.testkit.log;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The reader of one simulated process. Never waits: time passes only when the simulation says so.
///
/// In each round every split comes once, in an order that is drawn; a batch ends where it is drawn
/// to.
final class ModelReader implements SplitReader {
  private static final int UNKNOWN_EPOCH = -1;

  /// How long the end of a split that is not heard of is held to be known: less than any input
  /// waits until it is idle.
  private static final Duration HOLDS = Duration.ofMillis(500);

  private final Link link;
  private final int life;
  private final Batches batches;
  private final Seed seed;
  private final TreeMap<Split, Place> places = new TreeMap<>();
  private final Deque<Place> round = new ArrayDeque<>();
  private boolean closed;

  ModelReader(Link link, Batches batches, Seed seed) {
    this.link = link;
    life = link.life();
    this.batches = batches;
    this.seed = seed;
  }

  /// Where a split is being read.
  private static final class Place {
    final Split split;
    long next;
    byte @Nullable [] topicId;
    int leaderEpoch;
    long stableEnd = -1;

    /// When that was asked for.
    long heardNanos;

    boolean paused;
    boolean removed;
    long silentUntil;
    @Nullable LogException failure;

    Place(Split split, Position start) {
      this.split = split;
      next = start.offset();
      PositionDetail detail = PositionDetail.decode(start.detail());
      topicId = detail == null ? null : detail.topicId();
      leaderEpoch = detail == null ? UNKNOWN_EPOCH : detail.leaderEpoch();
    }

    boolean hasData() {
      return !removed && !paused && failure == null && next < stableEnd;
    }
  }

  @Override
  public void add(Split split, Position start) {
    requireUsable();
    if (places.containsKey(split)) {
      throw new IllegalStateException("Split " + split + " is being read already.");
    }
    Place place = new Place(split, start);
    if (seed.coin() && !link.isCut()) {
      look(place);
      if (place.failure != null) {
        throw place.failure;
      }
    }
    places.put(split, place);
  }

  @Override
  public void remove(Split split) {
    requireUsable();
    Place place = places.remove(split);
    if (place != null) {
      place.removed = true;
    }
  }

  @Override
  public void pause(Split split) {
    place(split).paused = true;
  }

  @Override
  public void resume(Split split) {
    place(split).paused = false;
  }

  @Override
  public long endOffset(Split split) {
    Place place = place(split);
    long now = link.broker().scheduler.clock().nanos();
    boolean isSilent = link.isCut() || now < place.silentUntil;
    return isSilent && now - place.heardNanos > HOLDS.toNanos() ? -1 : place.stableEnd;
  }

  private Place place(Split split) {
    requireUsable();
    Place place = places.get(split);
    if (place == null) {
      throw new IllegalStateException("Split " + split + " is not being read.");
    }
    return place;
  }

  @Override
  public @Nullable RecordBatch poll(Duration atMost) {
    requireUsable();
    if (link.isCut()) {
      return null;
    }
    for (Place place : places.values()) {
      if (!place.paused) {
        look(place);
        if (place.failure != null) {
          throw place.failure;
        }
      }
    }
    Place next = nextInTurn();
    return next == null ? null : read(next);
  }

  /// Asks the broker how far a split can be read, unless it is silent just now.
  private void look(Place place) {
    long now = link.broker().scheduler.clock().nanos();
    if (now < place.silentUntil || place.failure != null) {
      return;
    }
    Duration silence = link.faults().silence().draw(seed);
    if (!silence.isZero()) {
      place.silentUntil = now + silence.toNanos();
      return;
    }
    ModelPartition partition = link.broker().find(place.split);
    if (partition == null) {
      place.failure =
          new LogException(
              Kind.MISSING, place.split, "Split " + place.split + " does not exist.", null);
      return;
    }
    String lost = whyLost(place, partition);
    if (lost == null) {
      place.topicId = partition.topic.id;
      place.stableEnd = partition.stableEnd();
      place.heardNanos = now;
    } else {
      place.failure =
          new LogException(
              Kind.POSITION_LOST,
              place.split,
              "Position " + place.next + " of split " + place.split + " is lost: " + lost,
              null);
      link.broker().trace.add("position lost", place.split, place.next, 0);
    }
  }

  private static @Nullable String whyLost(Place place, ModelPartition partition) {
    byte[] found = partition.topic.id;
    if (place.topicId != null && !Arrays.equals(place.topicId, found)) {
      return "it belongs to the topic with id "
          + PositionDetail.text(place.topicId)
          + ", and the topic of that name now has id "
          + PositionDetail.text(found)
          + ". Was it deleted and created again?";
    }
    if (place.next < partition.start()) {
      return "the log starts at " + partition.start() + ". Was it cut by its retention?";
    }
    if (place.next > partition.end()) {
      return "the log ends at " + partition.end() + ". Did it lose its end?";
    }
    if (place.leaderEpoch != UNKNOWN_EPOCH) {
      long end = partition.endOfLeaderEpoch(place.leaderEpoch);
      if (place.next > end) {
        return "leader epoch "
            + place.leaderEpoch
            + " ends at "
            + end
            + ". The log lost its end and was written again.";
      }
    }
    return null;
  }

  private @Nullable Place nextInTurn() {
    for (int rounds = 0; rounds < 2; rounds++) {
      Place place = round.poll();
      while (place != null) {
        if (place.hasData()) {
          return place;
        }
        place = round.poll();
      }
      List<Place> order = new ArrayList<>(places.values());
      seed.shuffle(order);
      round.addAll(order);
    }
    return null;
  }

  private RecordBatch read(Place place) {
    ModelPartition partition = link.broker().partition(place.split);
    List<Entry> entries = partition.entries();
    int index = partition.indexOf(place.next);
    int wanted = seed.between(1, link.broker().settings.batchRecords());
    int epoch = index < entries.size() ? entries.get(index).leaderEpoch : partition.leaderEpoch();
    byte[] detail = new PositionDetail(partition.topic.id, epoch).encode();
    RecordBatch batch = batches.take(place.split, detail, place.next);
    long next = place.next;
    while (index < entries.size() && batch.size() < wanted) {
      Entry entry = entries.get(index);
      if (entry.offset >= place.stableEnd || entry.leaderEpoch != epoch) {
        break;
      }
      if (entry.isCommitted()) {
        entry.record().appendTo(batch, entry.offset);
      }
      next = entry.offset + 1;
      index++;
    }
    if (batch.size() == 0 || seed.coin()) {
      next = behindWhatNobodyGets(place, entries, index, epoch, next);
    }
    batch.nextOffset(next);
    place.next = next;
    place.leaderEpoch = epoch;
    link.broker().trace.add("read", place.split, next, batch.size());
    return batch;
  }

  /// The offset of the next record that is read, or the end of what can be read now.
  private static long behindWhatNobodyGets(
      Place place, List<Entry> entries, int from, int epoch, long next) {
    for (int i = from; i < entries.size() && entries.get(i).offset < place.stableEnd; i++) {
      Entry entry = entries.get(i);
      if (entry.isCommitted() || entry.leaderEpoch != epoch) {
        return entry.leaderEpoch == epoch ? entry.offset : next;
      }
      next = entry.offset + 1;
    }
    return place.stableEnd;
  }

  /// Does nothing: [#poll] never waits here.
  @Override
  public void wakeup() {}

  @Override
  public void close() {
    closed = true;
    places.clear();
    round.clear();
  }

  private void requireUsable() {
    link.requireAlive(life);
    if (closed) {
      throw new IllegalStateException("This reader is closed.");
    }
  }
}
