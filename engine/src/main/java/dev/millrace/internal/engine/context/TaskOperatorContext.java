package dev.millrace.internal.engine.context;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.calls.Calls;
import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.metrics.CallMetrics;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.operators.Aggregates;
import dev.millrace.internal.engine.operators.Counts;
import dev.millrace.internal.engine.operators.FailedResults;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.TaskClock;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.state.CachedStore;
import dev.millrace.internal.state.TaskState;
import org.jspecify.annotations.Nullable;

/// What one operator of a task can reach.
public record TaskOperatorContext(
    Plan.TaskId id,
    Plan.Stage stage,
    Node.Stateful node,
    Chain chain,
    TaskState state,
    long committed,
    String changelogId,
    FailedResults failed,
    TaskMetrics metrics,
    Calls calls,
    TaskClock taskClock)
    implements OperatorContext {

  @Override
  public <K, V> KeyValueStore<K, V> store(StoreSpec<K, V> spec) {
    return cached(spec);
  }

  @Override
  public @Nullable Counts counts(StoreSpec<Bytes, ?> spec) {
    CachedStore<Bytes, ?> store = cached(spec);
    return store.holdsLongs() ? store::add : null;
  }

  @Override
  public Aggregates aggregates(StoreSpec<Bytes, Object> spec) {
    return new StoreAggregates(cached(spec));
  }

  @Override
  public int largestValue(StoreSpec<?, ?> spec) {
    return cached(spec).mostBytes();
  }

  @Override
  public ReadAhead readAhead(StoreSpec<?, ?> spec) {
    return new StoreReadAhead(cached(spec));
  }

  private <K, V> CachedStore<K, V> cached(StoreSpec<K, V> spec) {
    for (Plan.Store store : stage.stores()) {
      if (reaches(store.owner()) && store.spec().name().equals(spec.name())) {
        return state.store(store.number());
      }
    }
    throw new IllegalArgumentException(
        "Operator '%s' was not declared with a store '%s'. Name the store where the operator is added to the topology."
            .formatted(node.name(), spec.name()));
  }

  /// Its own stores, and that of a broadcast table it looks up.
  private boolean reaches(Node.Stateful owner) {
    return owner.id() == node.id()
        || (owner.broadcast() && node.inputs().stream().anyMatch(i -> i.id() == owner.id()));
  }

  @Override
  public long watermark() {
    return chain.timed().watermark(node);
  }

  @Override
  public CallMetrics callMetrics() {
    return metrics.callsOf(node.name());
  }

  @Override
  public long clock() {
    return taskClock.millis();
  }

  @Override
  public void late(RowCursor row, long records) {
    metrics.lateOf(node.name()).addTooLate(records, watermark() - row.timestamp());
  }

  @Override
  public void corrected(RowCursor row, long records) {
    metrics.lateOf(node.name()).addCorrected(records, watermark() - row.timestamp());
  }

  @Override
  public boolean lateGoOn() {
    return node.declared().lateGoOn();
  }

  @Override
  public int partition() {
    return id.partition();
  }

  @Override
  public String task() {
    return id.toString();
  }
}
