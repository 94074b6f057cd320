package dev.millrace.benchmarks.nexmark.app;

import dev.millrace.api.Broadcast;
import dev.millrace.api.Stream;
import dev.millrace.api.Topology;
import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Events;
import dev.millrace.benchmarks.nexmark.query.Q13SideInput;
import dev.millrace.benchmarks.nexmark.source.GeneratorSource;
import dev.millrace.benchmarks.nexmark.source.TextSource;
import org.jspecify.annotations.Nullable;

/// Events that the process makes itself.
public final class GeneratedEvents implements Events {
  private final Topology topology;
  private final Generator generator;
  private final int splits;
  private @Nullable Stream<Event> all;

  public GeneratedEvents(Topology topology, Generator generator, int splits) {
    this.topology = topology;
    this.generator = generator;
    this.splits = splits;
  }

  @Override
  public Stream<Event> all() {
    Stream<Event> known = all;
    if (known == null) {
      known =
          topology
              .from(GeneratorSource.of("events", generator, splits))
              .map(generator::event)
              .as(SERDE);
      all = known;
    }
    return known;
  }

  @Override
  public Stream<Event> byArrival() {
    return topology
        .from(GeneratorSource.byArrival("events", generator, splits))
        .map(generator::event)
        .as(SERDE);
  }

  @Override
  public Broadcast<Long, String> sideInput() {
    return topology.broadcastTable("texts", new TextSource("texts", Q13SideInput.KEYS));
  }
}
