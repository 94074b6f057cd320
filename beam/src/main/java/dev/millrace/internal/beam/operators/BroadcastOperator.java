package dev.millrace.internal.beam.operators;

import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;

/// Sends the panes of a view, and how far event time has come, to all tasks. Its rows are the
/// elements with the numbers of the panes in which they came. Of a view that is one value, only
/// those of the last pane are sent: they replace the value of the panes before.
public final class BroadcastOperator implements Operator {
  private final Partitions partitions;
  private final boolean ofOneValue;
  private int sender;

  private BroadcastOperator(Partitions partitions, boolean ofOneValue) {
    this.partitions = partitions;
    this.ofOneValue = ofOneValue;
  }

  /// The operator as a topology carries it.
  ///
  /// @param ofOneValue whether the view is one value
  public static Declaration declare(int parallelism, boolean ofOneValue) {
    Partitions partitions = new Partitions(parallelism);
    return new Declaration(
        () -> new BroadcastOperator(partitions, ofOneValue), List.of(), Parameters.of("beam view"));
  }

  @Override
  public void open(OperatorContext context) {
    sender = context.partition();
  }

  @Override
  @SuppressWarnings("unchecked")
  public void process(RowCursor rows, RowSink out) {
    while (rows.next()) {
      var grouped = (WindowedValue<KV<Object, Iterable<KV<Long, Object>>>>) rows.value();
      List<Object> elements = elements(grouped.getValue().getValue());
      send(new SideRow.Pane(WindowedValues.withValue(grouped, elements)), out);
    }
  }

  private List<Object> elements(Iterable<KV<Long, Object>> numbered) {
    long last = Long.MIN_VALUE;
    for (KV<Long, Object> each : numbered) {
      last = Math.max(last, each.getKey());
    }
    List<Object> elements = new ArrayList<>();
    for (KV<Long, Object> each : numbered) {
      if (!ofOneValue || each.getKey() == last) {
        elements.add(each.getValue());
      }
    }
    return elements;
  }

  private void send(SideRow row, RowSink out) {
    for (int i = 0; i < partitions.count(); i++) {
      out.emit(partitions.key(i), row, 0);
    }
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    send(new SideRow.Reached(sender, watermark), out);
    return true;
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}
