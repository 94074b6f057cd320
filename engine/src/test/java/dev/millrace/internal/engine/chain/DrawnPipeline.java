package dev.millrace.internal.engine.chain;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An application of filters, maps, peeks, flat maps, forks and merges that a seed has drawn, and
/// what it should do, record by record, by plain calls.
///
/// Values are 1000 times the number of their record, and something below: so each operator knows
/// which record it sees. Between operators values may be null.
final class DrawnPipeline implements StreamApplication {
  static final String IN = "in";

  private static final int SPAN = 1_000;
  private static final int MOST_OPERATORS = 25;

  /// What went into an operator.
  record Visit(Operator operator, @Nullable Long value) {
    int record() {
      return (int) (Objects.requireNonNull(value) / SPAN);
    }
  }

  /// What came to a sink.
  record Arrival(String sink, boolean keyed, long value) {}

  /// One operator, its function in the form of a list: nothing, one value or several.
  static final class Operator {
    final String name;
    private final Function function;
    private final boolean keepsKey;
    private final List<Operator> next = new ArrayList<>();

    /// The input on which it fails.
    @Nullable Long failsOn;

    /// What it saw when it was run.
    final List<@Nullable Long> seen = new ArrayList<>();

    private interface Function {
      List<@Nullable Long> of(@Nullable Long value);
    }

    private Operator(String name, Function function, boolean keepsKey) {
      this.name = name;
      this.function = function;
      this.keepsKey = keepsKey;
    }

    private List<@Nullable Long> run(@Nullable Long value) {
      if (value != null && value.equals(failsOn)) {
        throw new IllegalStateException("planted");
      }
      seen.add(value);
      return function.of(value);
    }

    private void evaluate(
        @Nullable Long value, boolean keyed, List<Visit> visits, List<Arrival> out) {
      visits.add(new Visit(this, value));
      if (name.startsWith("out")) {
        out.add(new Arrival(name, keyed, Objects.requireNonNull(value)));
        return;
      }
      for (Long result : function.of(value)) {
        for (Operator each : next) {
          each.evaluate(result, keyed && keepsKey, visits, out);
        }
      }
    }
  }

  /// A stream that operators can be added to.
  private record Flow(KeyedStream<Bytes, Long> stream, Operator operator) {}

  private final long seed;
  private final Operator head = new Operator("in", value -> list(value), true);
  private int nodes;
  private int sinks;

  DrawnPipeline(long seed) {
    this.seed = seed;
  }

  private static List<@Nullable Long> list(@Nullable Long value) {
    List<@Nullable Long> one = new ArrayList<>();
    one.add(value);
    return one;
  }

  static long value(int record) {
    return (long) record * SPAN + record % 7;
  }

  int sinks() {
    return sinks;
  }

  /// What should come of some records.
  List<Arrival> evaluate(int records, List<Visit> visits) {
    List<Arrival> out = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      for (Operator each : head.next) {
        each.evaluate(value(i), true, visits, out);
      }
    }
    return out;
  }

  @Override
  public String name() {
    return "app";
  }

  @Override
  public void describe(Topology topology) {
    Random random = new Random(seed);
    List<Flow> open = new ArrayList<>();
    open.add(
        new Flow(topology.from(Kafka.source(IN).key(Serdes.view()).value(Serdes.longs())), head));
    nodes = 1;
    int operators = 1 + random.nextInt(MOST_OPERATORS);
    for (int i = 0; i < operators; i++) {
      int at = random.nextInt(open.size());
      Flow from = open.get(at);
      Flow to =
          random.nextInt(12) == 0 && open.size() > 1
              ? merge(from, open.get((at + 1) % open.size()))
              : draw(random, from);
      if (random.nextInt(5) > 0) {
        open.set(at, to);
      } else {
        open.add(to); // both can go on
      }
    }
    for (Flow each : open) {
      Flow values = filter(each, value -> value != null);
      String sink = "out" + sinks++;
      values.stream().to(Kafka.sink(sink).value(Serdes.longs()));
      nodes++;
      values.operator().next.add(new Operator(sink, value -> list(value), true));
    }
  }

  private Flow draw(Random random, Flow from) {
    int number = random.nextInt(SPAN);
    return switch (random.nextInt(9)) {
      case 0, 1, 2 ->
          filter(from, value -> value == null || value % SPAN % (2 + number % 9) != number % 2);
      case 3, 4, 5 ->
          map(
              from,
              value ->
                  value == null || (value + number) % 19 == 0
                      ? null
                      : value / SPAN * SPAN + (value * 3 + number) % SPAN);
      case 6 -> peek(from);
      case 7 -> flatMap(from, number);
      default -> filter(map(from, value -> value), value -> value != null && value % 3 != 1);
    };
  }

  private Operator add(Flow from, String kind, Operator.Function function) {
    Operator operator = new Operator(kind + " " + nodes++, function, true);
    from.operator().next.add(operator);
    return operator;
  }

  private interface Test {
    boolean of(@Nullable Long value);
  }

  private Flow filter(Flow from, Test test) {
    Operator made = add(from, "filter", value -> test.of(value) ? list(value) : List.of());
    return new Flow(from.stream().filter(value -> !made.run(value).isEmpty()), made);
  }

  private Flow map(Flow from, UnaryOperator<@Nullable Long> function) {
    Operator made = add(from, "map", value -> list(function.apply(value)));
    return new Flow(
        from.stream().mapValues(value -> made.run(value).getFirst()).as(Serdes.longs()), made);
  }

  /// Nothing, one value or two of each.
  private Flow flatMap(Flow from, int number) {
    Operator made =
        add(
            from,
            "flatmap",
            value -> {
              List<@Nullable Long> all = new ArrayList<>();
              for (long i = 0; value != null && i < (value + number) % 3; i++) {
                all.add(value / SPAN * SPAN + (value * 5 + i) % SPAN);
              }
              return all;
            });
    return new Flow(from.stream().flatMapValues(value -> made.run(value)).as(Serdes.longs()), made);
  }

  private Flow peek(Flow from) {
    Operator made = add(from, "peek", value -> list(value));
    return new Flow(from.stream().peek(value -> made.run(value)), made);
  }

  private Flow merge(Flow one, Flow other) {
    Operator made = add(one, "merge", value -> list(value));
    other.operator().next.add(made);
    return new Flow(one.stream().merge(other.stream()), made);
  }
}
