package dev.millrace.benchmarks.nexmark.app;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.benchmarks.nexmark.query.Events;
import dev.millrace.benchmarks.nexmark.query.Query;
import dev.millrace.benchmarks.nexmark.query.Results;
import java.util.function.Function;

/// A query as an application.
public final class NexmarkApplication<R> implements StreamApplication {
  private final String name;
  private final Query<R> query;
  private final Function<Topology, Events> events;
  private final Results<R> results;

  public NexmarkApplication(
      String name, Query<R> query, Function<Topology, Events> events, Results<R> results) {
    this.name = name;
    this.query = query;
    this.events = events;
    this.results = results;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void describe(Topology topology) {
    query.build(events.apply(topology), results);
  }
}
