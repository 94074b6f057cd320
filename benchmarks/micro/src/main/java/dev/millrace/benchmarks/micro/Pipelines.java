package dev.millrace.benchmarks.micro;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import java.util.List;
import java.util.function.Consumer;

/// Applications that read `in` and write `out`.
final class Pipelines {
  static final String IN = "in";
  static final String OUT = "out";

  /// How many others there are.
  static final int OTHERS = 6;

  private static final List<Mapper<Long, Long>> MAPPERS =
      List.of(
          number -> number + 2,
          number -> number - 3,
          number -> number ^ 5,
          number -> number << 1,
          number -> number >> 1,
          number -> -number);

  private static final List<Predicate<Long>> CONDITIONS =
      List.of(
          number -> number != 17,
          number -> number > -1_000_000,
          number -> number % 11 != 3,
          number -> (number & 31) != 4,
          number -> number < 1_000_000,
          number -> number % 7 != 1);

  private Pipelines() {}

  /// Every record, unchanged.
  static StreamApplication pass() {
    return application(
        topology -> topology.from(Kafka.source(IN).bytes()).to(Kafka.sink(OUT).bytes()));
  }

  /// Five operators, behind which one record of some eighty is left.
  static StreamApplication five() {
    return application(topology ->
        numbers(topology)
            .mapValues(number -> number + 1)
            .filter(number -> (number & 15) != 0)
            .mapValues(number -> number * 3)
            .filter(number -> number % 5 != 0)
            .filter(number -> (number & 63) == 7)
            .to(Kafka.sink(OUT).value(Serdes.longs())));
  }

  /// What [#five] does with a number.
  ///
  /// @return what comes out, negative if nothing does
  static long fiveByHand(long number) {
    long next = number + 1;
    if ((next & 15) == 0) {
      return -1;
    }
    next *= 3;
    return next % 5 == 0 || (next & 63) != 7 ? -1 : next;
  }

  /// Counts by key, and sends no count.
  static StreamApplication count() {
    return application(topology ->
        topology
            .from(Kafka.source(IN).key(Serdes.view()).value(Serdes.view()))
            .groupByKey()
            .count("counts")
            .toStream()
            .filter(count -> count < 0)
            .to(Kafka.sink(OUT).key(Serdes.view()).value(Serdes.longs())));
  }

  /// Counts by key with a function that looks at each record, and sends no count.
  static StreamApplication fold() {
    return application(topology ->
        topology
            .from(Kafka.source(IN).key(Serdes.view()).value(Serdes.view()))
            .groupByKey()
            .aggregate("counts", () -> 0L, Pipelines::countOne)
            .as(Serdes.longs())
            .toStream()
            .filter(count -> count < 0)
            .to(Kafka.sink(OUT).key(Serdes.view()).value(Serdes.longs())));
  }

  private static long countOne(long count, Bytes event) {
    return count + (event.array()[event.offset()] == Byte.MIN_VALUE ? 1 : 0);
  }

  /// One of [#OTHERS] of four operators, each with functions of its own.
  static StreamApplication other(int index) {
    return application(topology ->
        numbers(topology)
            .mapValues(MAPPERS.get(index))
            .as(Serdes.longs())
            .filter(CONDITIONS.get(index))
            .mapValues(MAPPERS.get((index + 1) % OTHERS))
            .as(Serdes.longs())
            .filter(CONDITIONS.get((index + 2) % OTHERS))
            .to(Kafka.sink(OUT).value(Serdes.longs())));
  }

  private static KeyedStream<Bytes, Long> numbers(Topology topology) {
    return topology.from(Kafka.source(IN).key(Serdes.view()).value(Serdes.longs()));
  }

  private static StreamApplication application(Consumer<Topology> describe) {
    return new StreamApplication() {
      @Override
      public String name() {
        return "app";
      }

      @Override
      public void describe(Topology topology) {
        describe.accept(topology);
      }
    };
  }
}
