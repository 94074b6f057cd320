package dev.millrace.internal.engine.chain;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The chain of an application's only task, without a task.
final class Running {
  static final long TIME = 1_700_000_000_000L;
  private static final int BYTES = 8;

  static final Clock CLOCK =
      new Clock() {
        @Override
        public long millis() {
          return TIME;
        }

        @Override
        public long nanos() {
          return 0;
        }
      };

  final Chains chains;
  final Chain chain;
  final Probe probe;
  private final Outbox outbox = new Outbox("app-changelog", 64L << 20);

  Running(StreamApplication application) {
    Plan plan = Planner.plan("app", TopologyGraph.of(application), Map.of(DrawnPipeline.IN, 1));
    chains = new Chains(plan, Running::sink, (_, topic) -> sink(topic), CLOCK);
    Chains.OfWorker ofWorker = chains.ofWorker();
    probe = ofWorker.probe();
    chain = ofWorker.chain(plan.task(0), outbox, _ -> outbox);
  }

  /// A topic of one partition with Kafka's own defaults.
  static SinkTopic sink(String topic) {
    return SinkTopic.of(new Log.TopicInfo(topic, "", 1, Map.of()));
  }

  /// Records with a key of 8 bytes and the number of the record, and a value as numbers are
  /// written.
  static RecordBatch batch(long... values) {
    RecordBatch batch = RecordBatch.create().reset(new Split(DrawnPipeline.IN, 0), new byte[0], 0);
    for (int i = 0; i < values.length; i++) {
      batch.append(i, TIME + i);
      int start = batch.data().length();
      batch.data().writeLong(i);
      batch.endKey(start);
      start = batch.data().length();
      batch.data().writeLong(values[i] ^ Long.MIN_VALUE);
      batch.endValue(start);
    }
    return batch;
  }

  /// What has left, in the form in which [DrawnPipeline] tells it, each sink's in its order.
  List<DrawnPipeline.Arrival> take() {
    List<DrawnPipeline.Arrival> all = new ArrayList<>();
    Bytes view = new Bytes();
    for (RecordBatch batch : outbox.drain()) {
      for (int i = 0; i < batch.size(); i++) {
        long value = number(batch.value(i, view)) ^ Long.MIN_VALUE;
        boolean keyed = batch.hasKey(i);
        if (keyed && number(batch.key(i, view)) * 1_000 != value / 1_000 * 1_000) {
          throw new AssertionError("Value " + value + " has the key of another record.");
        }
        if (batch.timestamp(i) != TIME + value / 1_000) {
          throw new AssertionError("Value " + value + " has the time of another record.");
        }
        all.add(new DrawnPipeline.Arrival(batch.split().stream(), keyed, value));
      }
      batch.release();
    }
    return all;
  }

  private static long number(Bytes bytes) {
    long number = 0;
    for (int i = 0; i < BYTES; i++) {
      number = number << 8 | bytes.array()[bytes.offset() + i] & 0xff;
    }
    return number;
  }
}
