package dev.millrace.benchmarks.micro;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.calls.Calls;
import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.chain.Chains;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.chain.SinkTopic;
import dev.millrace.internal.engine.context.StoreAggregates;
import dev.millrace.internal.engine.metrics.CallMetrics;
import dev.millrace.internal.engine.operators.Aggregates;
import dev.millrace.internal.engine.operators.Counts;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.state.CachedStore;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.RecordBatch;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The operators of an application's only task, without the task around them.
final class Running implements AutoCloseable {
  private final Outbox outbox = new Outbox("app-changelog", 64L << 20);
  private final TaskState state = Stores.open();
  private final Chain chain;

  Running(StreamApplication application) {
    Plan plan = Planner.plan("app", TopologyGraph.of(application), Map.of(Pipelines.IN, 1));
    Chains chains = new Chains(plan, Running::sink, (_, topic) -> sink(topic), new StandingClock());
    chain = chains.ofWorker().chain(plan.task(0), outbox, _ -> outbox);
    chain.open(node -> new Context(state));
  }

  private static SinkTopic sink(String topic) {
    return SinkTopic.of(new Log.TopicInfo(topic, "", 1, Map.of()));
  }

  /// Sends records through, and takes out what leaves.
  void process(RecordBatch batch) {
    chain.process(batch, 0, batch.size(), false);
  }

  /// What has left.
  List<RecordBatch> take() {
    return outbox.drain();
  }

  /// The number of a key.
  long counted(Bytes key) {
    CachedStore<Bytes, Long> counts = state.store(Stores.COUNTS);
    return Objects.requireNonNullElse(counts.get(key), 0L);
  }

  @Override
  public void close() {
    chain.close();
    state.close();
  }

  /// What the only operator with state can reach.
  private record Context(TaskState state) implements OperatorContext {
    @Override
    public <K, V> KeyValueStore<K, V> store(StoreSpec<K, V> spec) {
      return state.store(Stores.COUNTS);
    }

    @Override
    public @Nullable Counts counts(StoreSpec<Bytes, ?> spec) {
      CachedStore<Bytes, Long> counts = state.store(Stores.COUNTS);
      return counts::add;
    }

    @Override
    public Aggregates aggregates(StoreSpec<Bytes, Object> spec) {
      return new StoreAggregates(state.store(Stores.COUNTS));
    }

    @Override
    public ReadAhead readAhead(StoreSpec<?, ?> spec) {
      return NOTHING;
    }

    @Override
    public Calls calls() {
      throw new IllegalStateException("Nothing is asked of other systems here.");
    }

    @Override
    public CallMetrics callMetrics() {
      return new CallMetrics();
    }

    @Override
    public long watermark() {
      return Long.MIN_VALUE;
    }

    @Override
    public long clock() {
      return 0;
    }

    @Override
    public void late(RowCursor row, long records) {}

    @Override
    public void corrected(RowCursor row, long records) {}

    @Override
    public long committed() {
      return 0;
    }

    @Override
    public String changelogId() {
      return "";
    }

    @Override
    public String task() {
      return "0-0";
    }

    @Override
    public int partition() {
      return 0;
    }
  }

  /// All there is lies in memory.
  private static final ReadAhead NOTHING =
      new ReadAhead() {
        @Override
        public boolean pays() {
          return false;
        }

        @Override
        public void want(Bytes storeKey) {}

        @Override
        public void load() {}
      };

  /// Shows the time of the records, which is all that a chain asks it for.
  private static final class StandingClock implements Clock {
    @Override
    public long millis() {
      return Records.TIME;
    }

    @Override
    public long nanos() {
      return 0;
    }
  }
}
