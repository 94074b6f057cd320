package dev.millrace.benchmarks.nexmark.app;

import dev.millrace.api.Broadcast;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.Stream;
import dev.millrace.api.Topology;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Events;
import dev.millrace.benchmarks.nexmark.query.Q13SideInput;
import dev.millrace.benchmarks.nexmark.source.TextSource;

/// Events of a topic, which is read to the end that it has.
public final class TopicEvents implements Events {
  private final Topology topology;
  private final KafkaSource<Event> events;

  public TopicEvents(Topology topology, String topic) {
    this.topology = topology;
    events = Kafka.source(topic).value(SERDE).startAtEarliest().asBounded();
  }

  @Override
  public Stream<Event> all() {
    return topology.from(events.eventTime(Event::time));
  }

  @Override
  public Stream<Event> byArrival() {
    return topology.from(events);
  }

  @Override
  public Broadcast<Long, String> sideInput() {
    return topology.broadcastTable("texts", new TextSource("texts", Q13SideInput.KEYS));
  }
}
