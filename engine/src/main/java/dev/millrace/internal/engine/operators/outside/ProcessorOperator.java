package dev.millrace.internal.engine.operators.outside;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.ClockedOperator;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.Timers;
import dev.millrace.internal.engine.time.InputTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs a user's [Processor]: its records are the rows themselves, its timers, of both kinds,
/// entries of a store of their own.
public final class ProcessorOperator implements ClockedOperator {
  private final Processor<Object, Object, Object> processor;
  private final StoreSpec<Bytes, Boolean> timerSpec;
  private final @Nullable Serde<Object> keySerde;
  private final List<StoreSpec<?, ?>> byRowKey;
  private final List<ReadAhead> aheads = new ArrayList<>();
  private @Nullable Context context;

  private ProcessorOperator(
      Processor<Object, Object, Object> processor,
      StoreSpec<Bytes, Boolean> timerSpec,
      @Nullable Serde<Object> keySerde,
      List<StoreSpec<?, ?>> byRowKey) {
    this.processor = processor;
    this.timerSpec = timerSpec;
    this.keySerde = keySerde;
    this.byRowKey = byRowKey;
  }

  /// The operator as a topology carries it.
  ///
  /// @param keys of the rows; null if they stay bytes
  /// @param stores those the processor asks for; one for its timers is added, called
  ///   `<name>-timers`
  public static Declaration declare(
      String name,
      Initializer<Processor<Object, Object, Object>> supplier,
      @Nullable Serde<Object> keys,
      List<StoreSpec<?, ?>> stores) {
    StoreSpec<Bytes, Boolean> timers =
        StoreSpec.keyValue(name + "-timers", KeyBytesSerde.afterTime(keys), new Timers.Mark())
            .withRanges();
    List<StoreSpec<?, ?>> all = new ArrayList<>(stores);
    all.add(timers);
    List<StoreSpec<?, ?>> byRowKey = stores.stream().filter(store -> keyedAs(store, keys)).toList();
    return new Declaration(
        () -> new ProcessorOperator(supplier.get(), timers, keys, byRowKey),
        all,
        Parameters.of("process"));
  }

  /// Whether a store's keys are written as those of the rows: it will probably be asked for them.
  private static boolean keyedAs(StoreSpec<?, ?> store, @Nullable Serde<Object> keys) {
    return keys != null && store.keySerde().id().equals(keys.id());
  }

  @Override
  public void open(OperatorContext opened) {
    byRowKey.forEach(spec -> aheads.add(opened.readAhead(spec)));
    KeyValueStore<Bytes, Boolean> timers = opened.store(timerSpec);
    context =
        new Context(
            opened,
            new Timers(timers, keySerde, Timers.Kind.EVENT_TIME),
            new Timers(timers, keySerde, Timers.Kind.CLOCK));
    processor.open(context);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    for (ReadAhead ahead : aheads) {
      ahead.loadKeysOf(rows);
    }
    processor.process(rows, new RowOutput(rows, out));
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    Context opened = Opened.store(context);
    opened.advancing(watermark);
    TimerOutput output = new TimerOutput(out);
    return opened.timers.fire(
        watermark,
        budget,
        new Timers.Callback() {
          @Override
          public void fire(Bytes keyBytes, Object key, long timestamp) {
            output.at(keyBytes, timestamp);
            processor.onTimer(key, timestamp, output);
          }

          @Override
          public boolean begins(Bytes timer) {
            return out.begins(timer);
          }
        });
  }

  /// Nothing is due as long as there is no event time for what comes of it. The clock's would do as
  /// little as another: a host whose clock is set ahead would give times that the log refuses.
  @Override
  public long dueMillis() {
    Context opened = Opened.store(context);
    return opened.watermark() == InputTime.UNKNOWN ? Long.MAX_VALUE : opened.clockTimers.earliest();
  }

  @Override
  public boolean tick(long nowMillis, int budget, RowSink out) {
    Context opened = Opened.store(context);
    long watermark = opened.watermark();
    TimerOutput output = new TimerOutput(out);
    opened.clockTimers.fire(
        nowMillis,
        budget,
        new Timers.Callback() {
          @Override
          public void fire(Bytes keyBytes, Object key, long timestamp) {
            output.at(keyBytes, watermark);
            processor.onClockTimer(key, timestamp, output);
          }

          @Override
          public boolean begins(Bytes timer) {
            return out.begins(timer);
          }
        });
    return output.fired;
  }

  @Override
  public Due due(Bytes place) {
    return Timers.due(place);
  }

  @Override
  public void close() {
    if (context != null) {
      context = null;
      aheads.clear();
      processor.close();
    }
  }

  private static final class Context implements ProcessorContext<Object> {
    private final OperatorContext opened;
    private final Timers timers;
    private final Timers clockTimers;
    private long advancingTo = Long.MIN_VALUE;

    Context(OperatorContext opened, Timers timers, Timers clockTimers) {
      this.opened = opened;
      this.timers = timers;
      this.clockTimers = clockTimers;
    }

    void advancing(long watermark) {
      advancingTo = watermark;
    }

    @Override
    public <L, V> KeyValueStore<L, V> store(StoreSpec<L, V> spec) {
      return opened.store(spec);
    }

    @Override
    public void setTimer(Object key, long timestamp) {
      timers.set(key, timestamp);
    }

    @Override
    public void cancelTimer(Object key, long timestamp) {
      timers.cancel(key, timestamp);
    }

    @Override
    public void setClockTimer(Object key, long timestamp) {
      clockTimers.set(key, timestamp);
    }

    @Override
    public void cancelClockTimer(Object key, long timestamp) {
      clockTimers.cancel(key, timestamp);
    }

    @Override
    public long clock() {
      return opened.clock();
    }

    /// While timers fire it is the watermark they fire at, so that a timer that sets itself anew
    /// can see the end of the input.
    @Override
    public long watermark() {
      return Math.max(opened.watermark(), advancingTo);
    }

    @Override
    public String task() {
      return opened.task();
    }
  }

  /// Results of records.
  private record RowOutput(RowCursor rows, RowSink out) implements Output<Object> {
    @Override
    public void emit(Object value) {
      out.emit(value, rows.timestamp());
    }

    @Override
    public void emit(Object value, long timestamp) {
      out.emit(value, timestamp);
    }
  }

  /// Results of timers.
  private static final class TimerOutput implements Output<Object> {
    private final RowSink out;
    private Bytes key = new Bytes();
    private long time;
    private boolean fired;

    TimerOutput(RowSink out) {
      this.out = out;
    }

    void at(Bytes newKey, long newTime) {
      key = newKey;
      time = newTime;
      fired = true;
    }

    @Override
    public void emit(Object value) {
      emit(value, time);
    }

    @Override
    public void emit(Object value, long timestamp) {
      out.emit(key, value, timestamp);
    }
  }
}
