package dev.millrace.benchmarks.samza;

import org.apache.samza.context.Context;
import org.apache.samza.system.IncomingMessageEnvelope;
import org.apache.samza.system.OutgoingMessageEnvelope;
import org.apache.samza.system.SystemStream;
import org.apache.samza.task.InitableTask;
import org.apache.samza.task.MessageCollector;
import org.apache.samza.task.StreamTask;
import org.apache.samza.task.TaskCoordinator;

/// Counts by key, and answers records that ask.
final class CountingTask implements StreamTask, InitableTask {
  private final SystemStream out;
  private final Answering answering = new Answering();

  CountingTask(SystemStream out) {
    this.out = out;
  }

  @Override
  public void init(Context context) {
    answering.open(context);
  }

  @Override
  public void process(
      IncomingMessageEnvelope envelope, MessageCollector collector, TaskCoordinator coordinator) {
    byte[] key = (byte[]) envelope.getKey();
    byte[] answer = answering.take(key, (byte[]) envelope.getMessage());
    if (answer != null) {
      collector.send(new OutgoingMessageEnvelope(out, null, key, answer));
    }
  }
}
