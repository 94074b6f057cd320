package dev.millrace.benchmarks.localstate;

import dev.millrace.api.Kafka;
import dev.millrace.api.Processor;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;

/// A job that asks its state for each record.
///
/// @param processor that does so
/// @param store that it asks for; none if its state is elsewhere
record StateApplication(
    StateTask task, Initializer<Processor<Long, Bytes, byte[]>> processor, StoreSpec<?, ?>... store)
    implements StreamApplication {

  @Override
  public String name() {
    return task.job();
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source(task.input()).key(Serdes.kafkaLong()).value(Serdes.view()))
        .process("state", processor, store)
        .map(result -> result)
        .as(Serdes.bytes())
        .to(Kafka.sink(task.output()).value(Serdes.bytes()));
  }
}
