package dev.millrace.benchmarks.samza;

import dev.millrace.benchmarks.scenarios.Tally;
import org.apache.samza.system.IncomingMessageEnvelope;
import org.apache.samza.system.OutgoingMessageEnvelope;
import org.apache.samza.system.SystemStream;
import org.apache.samza.task.MessageCollector;
import org.apache.samza.task.StreamTask;
import org.apache.samza.task.TaskCoordinator;

/// Hands records on.
final class PassingTask implements StreamTask {
  private final SystemStream out;
  private final Tally tally = Tally.create();

  PassingTask(SystemStream out) {
    this.out = out;
  }

  @Override
  public void process(
      IncomingMessageEnvelope envelope, MessageCollector collector, TaskCoordinator coordinator) {
    // Without a partition key of its own Kafka decides by the bytes; Samza would by the object.
    collector.send(
        new OutgoingMessageEnvelope(out, null, envelope.getKey(), envelope.getMessage()));
    tally.add(1);
  }
}
