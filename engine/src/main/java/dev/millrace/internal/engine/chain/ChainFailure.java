package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.topology.Node;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What has failed in a chain, and the way back of its operators to before that.
public final class ChainFailure {
  private final Step.Place place;
  private final TaskTime time;
  private final List<TimedOperator> operators;

  ChainFailure(Step.Place place, TaskTime time, List<TimedOperator> operators) {
    this.place = place;
    this.time = time;
    this.operators = operators;
  }

  /// Begins with something that can be undone as long as no operator with state was at work.
  public void begin() {
    place.mark();
  }

  /// Has the operators mark a place to go back to.
  ///
  /// @return whether they can
  public boolean mark() {
    boolean all = true;
    for (TimedOperator each : operators) {
      all &= each.step.operator().mark();
    }
    return all;
  }

  /// Whether operators with state were at work since [#begin].
  public boolean isTouched() {
    return place.isTouched();
  }

  /// Forgets what failed, for which nothing must have been touched.
  public void forget() {
    place.forget();
  }

  /// Has the operators go back to the last [#mark], to which their stores were brought; all of them
  /// had come to this watermark.
  public void undo(long watermark, Function<Node.Stateful, OperatorContext> contexts) {
    place.forget();
    time.come(watermark);
    for (TimedOperator each : operators) {
      each.restore(watermark);
      if (!each.step.operator().undo()) {
        each.close();
        each.step.renew();
        each.step.open(contexts.apply(each.node));
      }
      each.opened();
    }
  }

  /// Returns the operator at work, in words; empty if none is.
  public String operator() {
    return place.operator();
  }

  /// Returns the record of the batch at work, or -1.
  public int record() {
    return place.record();
  }

  /// Whether [#record] is the one that failed. Where an operator takes several inputs of the same
  /// records, one may have failed for the sake of another that came behind it.
  public boolean isCertain() {
    return place.isCertain();
  }

  /// Returns what an operator was to make without a record at hand when it, or one behind it,
  /// failed; null if there is none.
  public @Nullable Result result() {
    StatefulStep source = place.source();
    if (source == null) {
      return null;
    }
    Bytes at = place.result();
    for (TimedOperator each : operators) {
      if (each.step == source) {
        return new Result(each.node, at == null ? null : source.operator().due(at));
      }
    }
    throw new AssertionError("Not in this chain: " + source.name);
  }

  /// A result that has failed.
  ///
  /// @param operator that was to make it
  /// @param due null if it is not known which, or if nobody can pass it over
  public record Result(Node.Stateful operator, @Nullable Due due) {}
}
