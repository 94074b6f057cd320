package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.exchange.DirectPort;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/// The inputs of a worker's tasks that are direct exchanges.
public final class DirectInputs {
  private final DirectPort port;
  private final Map<Split, TaskInput> bySplit = new LinkedHashMap<>();
  private final List<Fed> fed = new ArrayList<>();

  /// An input and the stage of the task that it feeds.
  private record Fed(int stage, TaskInput input, BooleanSupplier full) {}

  public DirectInputs(DirectPort port) {
    this.port = port;
  }

  /// Adds an input.
  ///
  /// @param stage of the task that it feeds
  /// @param full whether the task has no memory for more
  public void begin(int stage, TaskInput input, BooleanSupplier full) {
    fed.add(new Fed(stage, input, full));
    bySplit.put(input.split(), input);
  }

  /// Lays what has come into its inputs, and tells the others whether more may come.
  ///
  /// @return whether anything has come
  public boolean receive() {
    if (!port.isUsed()) {
      return false;
    }
    boolean any = port.receive(this::lay);
    port.open(this::takes);
    port.look();
    return any;
  }

  private void lay(RecordBatch batch) {
    Objects.requireNonNull(bySplit.get(batch.split()), batch::toString).receive(batch);
  }

  /// Not before all is processed that went into their topics, or it would come behind what is sent
  /// now; and not while they wait for tables, or there is no space on disk for what they keep.
  private boolean takes(int stage) {
    for (int i = 0, count = fed.size(); i < count; i++) {
      Fed each = fed.get(i);
      if (each.stage == stage
          && (!each.input.inMemory() || each.input.order().isHeld() || each.full.getAsBoolean())) {
        return false;
      }
    }
    return true;
  }

  /// Whether tasks of a stage have processed all that was sent to them before the commit.
  public boolean atBarrier(int stage) {
    if (!port.atBarrier(stage)) {
      return false;
    }
    for (int i = 0, count = fed.size(); i < count; i++) {
      Fed each = fed.get(i);
      if (each.stage == stage && each.input.inMemory() && each.input.hasWaiting()) {
        return false;
      }
    }
    return true;
  }

  /// Forgets them.
  public void end() {
    fed.clear();
    bySplit.clear();
  }
}
