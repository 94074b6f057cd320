package dev.millrace.benchmarks.change.app;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Aggregator;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.change.peer.Row;
import java.lang.invoke.MethodHandles;

/// The programs: each counts events and adds them up by key, and writes what it has behind each
/// numbered one. In the order in which they are started, each has one change.
public final class Programs {
  public static final String APPLICATION = "totals";
  public static final String INPUT = "totals-in";
  public static final String OUTPUT = "totals-out";

  private static final String TOTALS = "totals";
  private static final String SUMS = "sums";

  private Programs() {}

  /// What the second operator keeps.
  record Recent(long count, long last) {}

  /// The first one.
  public static final class Original extends Program {
    @Override
    void describe(KeyedStream<Long, byte[]> events) {
      plain(events);
    }
  }

  /// With a second operator.
  public static final class OperatorAdded extends Program {
    @Override
    void describe(KeyedStream<Long, byte[]> events) {
      recent(events);
      plain(events);
    }
  }

  /// With a component more in the record of the first operator.
  public static final class FieldAdded extends Program {
    @Override
    void describe(KeyedStream<Long, byte[]> events) {
      recent(events);
      withLargest(events, TOTALS);
    }
  }

  /// With another name of the first operator.
  public static final class OperatorRenamed extends Renamed {
    @Override
    void describe(KeyedStream<Long, byte[]> events) {
      recent(events);
      withLargest(events, SUMS);
    }
  }

  /// With a count that is a `long` instead of an `int`.
  public static final class FieldWidened extends Renamed {
    @Override
    void describe(KeyedStream<Long, byte[]> events) {
      recent(events);
      wide(events);
    }
  }

  /// Without the second operator.
  public static final class OperatorRemoved extends Renamed {
    @Override
    void describe(KeyedStream<Long, byte[]> events) {
      wide(events);
    }
  }

  /// With yet another component, for a change of one container after the other.
  public static final class FieldAddedLast extends Renamed {
    @Override
    void describe(KeyedStream<Long, byte[]> events) {
      total(
          events,
          SUMS,
          record(Kept.WithNumbered.class),
          Kept.WithNumbered.NONE,
          (kept, event) -> kept.plus(Event.of(event)));
    }
  }

  /// With values of another type, which can be turned back.
  public static final class Migrated extends Renamed {
    private static final Serde<Kept.Nested> SERDE =
        Serdes.version(2, record(Kept.Nested.class))
            .from(1, record(Kept.WithNumbered.class), Kept.Nested::of, Kept.Nested::back);

    @Override
    void describe(KeyedStream<Long, byte[]> events) {
      total(events, SUMS, SERDE, Kept.Nested.NONE, (kept, event) -> kept.plus(Event.of(event)));
    }
  }

  /// With values of yet another type, which cannot be turned back.
  public static final class MigratedOneWay extends Renamed {
    private static final Serde<Kept.Mean> SERDE =
        Serdes.version(3, record(Kept.Mean.class))
            .from(2, record(Kept.Nested.class), Kept.Mean::of)
            .from(1, record(Kept.WithNumbered.class), old -> Kept.Mean.of(Kept.Nested.of(old)));

    @Override
    void describe(KeyedStream<Long, byte[]> events) {
      total(events, SUMS, SERDE, Kept.Mean.NONE, (kept, event) -> kept.plus(Event.of(event)));
    }
  }

  private static void plain(KeyedStream<Long, byte[]> events) {
    total(
        events,
        TOTALS,
        record(Kept.Plain.class),
        Kept.Plain.NONE,
        (kept, event) -> kept.plus(Event.of(event)));
  }

  private static void withLargest(KeyedStream<Long, byte[]> events, String name) {
    total(
        events,
        name,
        record(Kept.WithLargest.class),
        Kept.WithLargest.NONE,
        (kept, event) -> kept.plus(Event.of(event)));
  }

  private static void wide(KeyedStream<Long, byte[]> events) {
    total(
        events,
        SUMS,
        record(Kept.Wide.class),
        Kept.Wide.NONE,
        (kept, event) -> kept.plus(Event.of(event)));
  }

  private static <T extends Record> Serde<T> record(Class<T> type) {
    return Serdes.record(type, MethodHandles.lookup());
  }

  private static <T extends Kept> void total(
      KeyedStream<Long, byte[]> events,
      String name,
      Serde<T> serde,
      T none,
      Aggregator<T, byte[]> plus) {
    events
        .groupByKey()
        .aggregate(name, () -> none, plus)
        .as(serde)
        .toStream()
        .filter(kept -> kept.last() != Event.UNNUMBERED)
        .mapValues(
            kept -> Row.ofTotals(kept.last(), kept.counted(), kept.sum(), kept.padding()).value())
        .to(output());
  }

  private static void recent(KeyedStream<Long, byte[]> events) {
    events
        .groupByKey()
        .aggregate(
            "recent",
            () -> new Recent(0, Event.UNNUMBERED),
            (recent, event) -> new Recent(recent.count + 1, Event.of(event).number()))
        .as(record(Recent.class))
        .toStream()
        .filter(recent -> recent.last != Event.UNNUMBERED)
        .mapValues(recent -> new Row(Row.RECENT, recent.last, recent.count, 0, 0).value())
        .to(output());
  }

  private static KafkaKeyedSink<Long, byte[]> output() {
    return Kafka.sink(OUTPUT).key(Serdes.kafkaLong()).value(Serdes.bytes());
  }

  /// What they have in common.
  public abstract static sealed class Program implements StreamApplication {
    @Override
    public final String name() {
      return APPLICATION;
    }

    @Override
    public final void describe(Topology topology) {
      rename(topology);
      describe(
          topology.from(
              Kafka.source(INPUT).key(Serdes.kafkaLong()).value(Serdes.bytes()).startAtEarliest()));
    }

    abstract void describe(KeyedStream<Long, byte[]> events);

    void rename(Topology topology) {}
  }

  /// What those have in common that call the first operator otherwise.
  abstract static sealed class Renamed extends Program {
    @Override
    void rename(Topology topology) {
      topology.renamed(TOTALS, SUMS);
    }
  }
}
