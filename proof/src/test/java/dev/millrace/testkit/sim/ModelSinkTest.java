package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.ExternalSink;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.contract.SinkContract;
import java.util.List;

class ModelSinkTest extends SinkContract {
  private final ModelSink<String> sink = new ModelSink<>("model", Serdes.string(), new Seed(1), 0);

  @Override
  protected ExternalSink<?, String> sink() {
    return sink;
  }

  @Override
  protected List<String> contents(String task) {
    return sink.taken(task).values().stream().flatMap(List::stream).toList();
  }
}
