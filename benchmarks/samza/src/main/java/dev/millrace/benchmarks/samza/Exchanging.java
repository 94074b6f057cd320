package dev.millrace.benchmarks.samza;

import dev.millrace.benchmarks.scenarios.Assignment;
import dev.millrace.benchmarks.scenarios.Event;
import org.apache.samza.application.StreamApplication;
import org.apache.samza.application.descriptors.StreamApplicationDescriptor;

/// The exchange, through an intermediate stream, which only the high-level interface has.
final class Exchanging implements StreamApplication {
  private final Assignment assignment;

  Exchanging(Assignment assignment) {
    this.assignment = assignment;
  }

  @Override
  public void describe(StreamApplicationDescriptor application) {
    Wiring wiring = new Wiring(assignment);
    application.withDefaultSystem(wiring.system());
    application.getTable(wiring.store());
    application
        .getInputStream(wiring.input())
        .partitionBy(
            event -> Event.toBytes(Event.other(event.getValue(), 0)),
            event -> event.getValue(),
            Wiring.bytes(),
            "other")
        .flatMap(new Counting())
        .sendTo(application.getOutputStream(wiring.output()));
  }
}
