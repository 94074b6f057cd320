package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.KeyPool;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Writes the input of [SilencesJob] in phases, in each of which some partitions speak and the
/// others are silent, and knows what has to come of it by the end of each: a phase ends only when
/// that is there, which takes until the silent ones are idle.
///
/// Those that speak go on to do so while they wait. One that comes back says so before the others
/// go on, as it would where time passes for all of them; a record of it would be late otherwise,
/// and rightly.
final class Silences {
  private static final String EVENTS = "events";
  static final String MARKS = "marks";
  static final String SEEN = "seen";
  static final String BY_KEY = "by-key";
  static final String BY_KIND = "by-kind";
  static final String PAIRED = "paired";
  static final long WINDOW_MILLIS = 5_000;
  static final long NEAR_MILLIS = 2_000;

  private static final int LOOK_EVERY = 10;
  private static final long CLOSING_MILLIS = 3_600_000;

  private static final int MOST_TOPICS = 3;

  private final Seed seed;

  /// Of the events.
  private final List<String> topics = new ArrayList<>();

  private final String prefix;
  private final Duration idleAfter;
  private final int partitions;
  private final int phases;

  /// By partition, keys that belong there.
  private final List<List<String>> keys = new ArrayList<>();

  private final List<Said> events = new ArrayList<>();
  private final List<Said> marks = new ArrayList<>();

  /// By partition, the event time that its task has come to.
  private final long[] reached;

  private long reachedByAny;
  private int phase = -1;
  private List<Place> speaking = List.of();
  private boolean toldAll;
  private long toldMillis;
  private long time = 1_000_000;
  private long written;
  private int number;
  private int calls;
  private boolean over;
  private @Nullable ModelLog log;

  private record Place(String topic, int partition) {}

  /// A record.
  private record Said(int partition, String key, String value, String kind, long at) {
    long end() {
      return at / WINDOW_MILLIS * WINDOW_MILLIS + WINDOW_MILLIS;
    }
  }

  Silences(Seed seed, String prefix, Duration idleAfter) {
    this.seed = seed;
    this.prefix = prefix;
    this.idleAfter = idleAfter;
    topics.add(EVENTS);
    Seed several = seed.fork("topics of events");
    int more = several.chance(0.4) ? several.between(1, MOST_TOPICS - 1) : 0;
    for (int i = 0; i < more; i++) {
      topics.add(EVENTS + "-" + i);
    }
    partitions = seed.between(1, 3);
    phases = seed.between(2, 4);
    reached = new long[partitions];
    KeyPool all = KeyPool.all();
    for (int partition = 0; partition < partitions; partition++) {
      List<String> own = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        if (Partitioner.partition(all.bytes(i), partitions) == partition) {
          own.add(all.text(i));
        }
      }
      seed.shuffle(own);
      keys.add(own.subList(0, Math.min(4, own.size())));
    }
  }

  /// The topics of the events, which have no order among each other.
  List<String> topics() {
    return topics;
  }

  int partitions() {
    return partitions;
  }

  void begin(ModelLog newLog) {
    log = newLog;
  }

  /// Whether all is written, and all that comes of it.
  boolean isOver() {
    return over;
  }

  /// Another step is taken.
  void goOn() {
    if (over || ++calls % LOOK_EVERY != 0) {
      return;
    }
    ModelLog at = Objects.requireNonNull(log);
    if (phase < 0) {
      next(at);
    } else if (!toldAll) {
      if (count(at, SEEN) == written) {
        tell(at);
      }
    } else if (count(at, SEEN) == written
        && count(at, BY_KEY) >= byKey().size()
        && count(at, BY_KIND) >= byKind().size()
        && (phase < phases || count(at, PAIRED) >= paired().size())) {
      over = phase == phases;
      if (!over) {
        next(at);
      }
    } else if (at.clock().millis() - toldMillis > idleAfter.toMillis() / 2) {
      comeBack(at); // if all were idle at once, time would stand still
    }
  }

  private long count(ModelLog at, String topic) {
    return at.records(prefix + topic).size();
  }

  private void next(ModelLog at) {
    phase++;
    speaking = new ArrayList<>();
    List<Place> all = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      for (String topic : topics) {
        all.add(new Place(topic, partition));
      }
      all.add(new Place(MARKS, partition));
    }
    // The last phase closes all windows; in the first one, all are heard so that time is known.
    boolean together = phase == 0 || phase == phases;
    for (Place place : all) {
      if (together || seed.coin()) {
        speaking.add(place);
      }
    }
    if (speaking.isEmpty()) {
      speaking.add(seed.pick(all));
    }
    time += seed.below(3_000);
    toldAll = false;
    comeBack(at);
  }

  /// Has each partition that is not silent say something, at the time that it is.
  private void comeBack(ModelLog at) {
    toldMillis = at.clock().millis();
    speaking.forEach(place -> say(at, place, time));
  }

  private void tell(ModelLog at) {
    if (at.clock().millis() - toldMillis > idleAfter.toMillis() / 4) {
      comeBack(at); // some may be idle again by now
      return;
    }
    toldAll = true;
    long end = phase == phases ? time + CLOSING_MILLIS : time + 1_000 + seed.below(20_000);
    if (phase < phases) {
      TreeMap<Place, List<Long>> times =
          new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
      List<Place> turns = new ArrayList<>();
      for (Place place : speaking) {
        List<Long> own = new ArrayList<>();
        for (int i = seed.below(15); i > 0; i--) {
          own.add(time + seed.below((int) (end - time)));
          turns.add(place);
        }
        Collections.sort(own);
        times.put(place, own);
      }
      seed.shuffle(turns);
      for (Place place : turns) {
        say(at, place, Objects.requireNonNull(times.get(place)).removeFirst());
      }
    }
    for (Place place : speaking) {
      say(at, place, end);
      reached[place.partition] = end;
    }
    time = end;
    reachedByAny = end;
  }

  private void say(ModelLog at, Place place, long when) {
    String key = seed.pick(keys.get(place.partition));
    String kind = "kind-" + seed.below(3);
    String value = kind + " " + number++ + " " + when;
    Said said = new Said(place.partition, key, value, kind, when);
    (place.topic.equals(MARKS) ? marks : events).add(said);
    at.append(
        new Split(prefix + place.topic, place.partition),
        0,
        Bytes.ofUtf8(key).toByteArray(),
        Bytes.ofUtf8(value).toByteArray(),
        new byte[0]);
    written++;
  }

  /// The results of windows that have to be closed by now.
  List<String> byKey() {
    Map<String, Map<Long, Integer>> counts = new TreeMap<>();
    for (Said said : events) {
      if (said.end() <= reached[said.partition]) {
        counts.computeIfAbsent(said.key, _ -> new TreeMap<>()).merge(said.end(), 1, Integer::sum);
      }
    }
    return lines(counts);
  }

  /// The same behind the exchange, where the tasks that are not idle say what time it is.
  List<String> byKind() {
    Map<String, Map<Long, Integer>> counts = new TreeMap<>();
    for (Said said : events) {
      if (said.end() <= reachedByAny) {
        counts.computeIfAbsent(said.kind, _ -> new TreeMap<>()).merge(said.end(), 1, Integer::sum);
      }
    }
    return lines(counts);
  }

  private static List<String> lines(Map<String, Map<Long, Integer>> counts) {
    List<String> lines = new ArrayList<>();
    counts.forEach(
        (key, ofKey) -> ofKey.forEach((end, count) -> lines.add(key + "=" + end + " " + count)));
    return lines;
  }

  /// The pairs of all events, and those that have none; at the end those of the last moment are
  /// still waited for.
  List<String> paired() {
    List<String> lines = new ArrayList<>();
    for (Said event : events) {
      TreeSet<String> near = new TreeSet<>();
      for (Said mark : marks) {
        if (mark.key.equals(event.key) && Math.abs(mark.at - event.at) <= NEAR_MILLIS) {
          near.add(mark.value);
        }
      }
      if (near.isEmpty() && event.at + NEAR_MILLIS < reached[event.partition]) {
        lines.add(event.key + "=" + event.value + " and null");
      }
      near.forEach(mark -> lines.add(event.key + "=" + event.value + " and " + mark));
    }
    return lines;
  }
}
