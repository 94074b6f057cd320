package dev.millrace.benchmarks.flink.nexmark;

import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.benchmarks.nexmark.generator.Settings;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.scenarios.Tally;
import java.time.Instant;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.jspecify.annotations.Nullable;

/// Makes events. Flink's sequence gives each reader numbers that follow each other; here each has
/// every so-many-th event, so that event time moves on in all of them alike.
final class GeneratedEvent implements GeneratorFunction<Long, Event> {
  private static final long serialVersionUID = 1;

  private final long seed;
  private final long events;
  private final long eventsPerSecond;
  private final long startMillis;
  private final int readers;
  private transient @Nullable Generator generator;
  private transient @Nullable Tally tally;

  GeneratedEvent(Settings settings, int readers) {
    seed = settings.seed();
    events = settings.events();
    eventsPerSecond = settings.eventsPerSecond();
    startMillis = settings.start().toEpochMilli();
    this.readers = readers;
  }

  @Override
  public Event map(Long number) {
    Generator makes = generator;
    Tally counts = tally;
    if (makes == null || counts == null) {
      makes =
          new Generator(
              new Settings(seed, events, eventsPerSecond, Instant.ofEpochMilli(startMillis)));
      counts = Tally.create();
      generator = makes;
      tally = counts;
    }
    counts.add(1);
    return makes.event(place(number));
  }

  /// Reader 0 has the first numbers, and one more than others if they do not come out even.
  private long place(long number) {
    long size = events / readers;
    long larger = events % readers;
    long ofLarger = larger * (size + 1);
    long reader = number < ofLarger ? number / (size + 1) : larger + (number - ofLarger) / size;
    long first = reader * size + Math.min(reader, larger);
    return (number - first) * readers + reader;
  }
}
