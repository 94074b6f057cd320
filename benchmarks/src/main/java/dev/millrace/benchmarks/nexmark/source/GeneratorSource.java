package dev.millrace.benchmarks.nexmark.source;

import dev.millrace.api.connector.Start;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.spi.ExternalSource;
import dev.millrace.spi.RecordBatch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The numbers of all events of a generator, in splits that each have every so-many-th: so event
/// time moves on in all of them alike. A record's timestamp is its event's, or the time at which it
/// is read. It is bounded, and a position is the count of the numbers before it.
///
/// Whoever reads it makes the events with [Generator#event], which is quicker than reading them
/// from bytes.
public final class GeneratorSource implements ExternalSource<Long> {
  private final String name;
  private final Generator generator;
  private final int splits;
  private final boolean timeOfArrival;

  private GeneratorSource(String name, Generator generator, int splits, boolean timeOfArrival) {
    this.name = name;
    this.generator = generator;
    this.splits = splits;
    this.timeOfArrival = timeOfArrival;
  }

  /// With the events' own times.
  public static GeneratorSource of(String name, Generator generator, int splits) {
    return new GeneratorSource(name, generator, splits, false);
  }

  /// With the times at which they are read.
  public static GeneratorSource byArrival(String name, Generator generator, int splits) {
    return new GeneratorSource(name, generator, splits, true);
  }

  @Override
  public String stream() {
    return name;
  }

  @Override
  public Serde<Long> valueSerde() {
    return Serdes.longs();
  }

  @Override
  public @Nullable EventTime<Long> eventTime() {
    return null;
  }

  @Override
  public Duration disorder() {
    return Duration.ZERO;
  }

  @Override
  public boolean bounded() {
    return true;
  }

  @Override
  public GeneratorSource asBounded() {
    return this;
  }

  @Override
  public Start start() {
    return Start.earliest();
  }

  @Override
  public Connection connect() {
    return new Numbers(
        splits,
        generator.settings().events(),
        timeOfArrival ? _ -> System.currentTimeMillis() : generator::timeMillis,
        GeneratorSource::write);
  }

  private static void write(long number, RecordBatch batch) {
    int start = batch.data().length();
    Serdes.longs().write(number, batch.data());
    batch.endValue(start);
  }
}
