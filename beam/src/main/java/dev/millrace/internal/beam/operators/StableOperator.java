package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.state.BytesSerde;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.engine.operators.AsyncOperator;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// Keeps what comes to a DoFn until it is committed: so if the DoFn is called again after a crash,
/// it is called with the same elements, and its timers find the same state.
///
/// Elements wait in one queue with the watermarks and the times of the clock that came between
/// them, and are released in that order. So which of them a timer is behind is committed, too.
public final class StableOperator implements AsyncOperator {
  private static final int ELEMENTS_AT_ONCE = 1_000;

  /// How much the clock has gone on at least if nothing else waits.
  private static final long CLOCK_MILLIS = 100;

  private static final byte WITHOUT_KEY = 0;
  private static final byte WITH_KEY = 1;
  private static final byte WATERMARK = 2;
  private static final byte CLOCK = 3;

  /// Where it is kept what there is besides the queue, whose places are numbers.
  private static final Bytes POSITION = Bytes.of(new byte[] {'q'});

  private final Spec spec;
  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, Bytes> store;
  private @Nullable Passed passed;
  private @Nullable Bytes kept;

  /// The number of the first that waits.
  private long first;

  /// The number of the next one that comes.
  private long next;

  /// Those before it belong to the commit that is under way.
  private long frozen;

  /// Those before it are committed.
  private long committed;

  /// The last watermark that came.
  private long watermark = Long.MIN_VALUE;

  /// Its number.
  private long watermarkAt = -1;

  /// The last one that was released.
  private long released = Long.MIN_VALUE;

  /// The last time of the clock that came.
  private long millis;

  /// What waits.
  ///
  /// @param operator the name of the node
  /// @param coder of the elements as they come
  /// @param run has the clock from which the times are
  /// @param clock of the DoFn; null if it has no timers by the clock
  public record Spec(
      String operator,
      Coder<WindowedValue<Object>> coder,
      RunContext run,
      @Nullable StableClock clock) {
    StoreSpec<Bytes, Bytes> queue() {
      return StoreSpec.keyValue(operator + "-queue", BytesSerde.INSTANCE, BytesSerde.INSTANCE);
    }
  }

  private StableOperator(Spec spec) {
    this.spec = spec;
  }

  /// The operator as a topology carries it.
  public static Declaration declare(Spec spec) {
    return new Declaration(
        () -> new StableOperator(spec),
        List.of(spec.queue()),
        Parameters.of("beam RequiresStableInput"));
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    KeyValueStore<Bytes, Bytes> queue = opened.store(spec.queue());
    store = queue;
    passed = new Passed(queue);
    kept = queue.get(POSITION);
    if (kept != null) {
      Frames.Reader from = new Frames.Reader(kept);
      first = from.readLong();
      next = from.readLong();
      watermark = from.readLong();
      released = from.readLong();
      millis = from.readLong();
      setClock(from.readLong());
    }
    frozen = next;
    committed = next;
  }

  private void setClock(long to) {
    if (spec.clock() != null) {
      spec.clock().set(Opened.store(context).partition(), to);
    }
  }

  private long clock() {
    return spec.clock() == null ? 0 : spec.clock().millis(Opened.store(context).partition());
  }

  @Override
  @SuppressWarnings("unchecked")
  public void process(RowCursor rows, RowSink out) {
    addClock(1);
    while (rows.next()) {
      Bytes key = rows.keyBytes();
      BytesWriter entry = new BytesWriter(64);
      entry.writeByte(key == null ? WITHOUT_KEY : WITH_KEY);
      if (key != null) {
        Frames.write(key, entry);
      }
      Coding.write(spec.coder(), (WindowedValue<Object>) rows.value(), entry);
      add(entry);
    }
  }

  private void add(BytesWriter entry) {
    Opened.store(store).put(place(next), Bytes.of(entry.toByteArray()));
    next++;
  }

  private void add(byte kind, long number) {
    BytesWriter entry = new BytesWriter(1 + Long.BYTES);
    entry.writeByte(kind);
    entry.writeLong(number);
    add(entry);
  }

  /// @param leastMillis how much the clock has gone on if it is worth an entry
  /// @return whether it was
  private boolean addClock(long leastMillis) {
    if (spec.clock() == null) {
      return false;
    }
    long now = Math.max(millis, spec.run().clock(Opened.store(context)).getAsLong());
    if (now < millis + leastMillis) {
      return false;
    }
    add(CLOCK, now);
    millis = now;
    return true;
  }

  private static Bytes place(long number) {
    BytesWriter out = new BytesWriter(Long.BYTES);
    out.writeLong(number);
    return Bytes.of(out.toByteArray());
  }

  @Override
  public boolean advance(long to, int budget, RowSink out) {
    if (to > watermark) {
      if (next > frozen && watermarkAt == next - 1) {
        next--; // it takes the place of the one before, behind which nothing came
      }
      watermarkAt = next;
      add(WATERMARK, to);
      watermark = to;
    }
    return true;
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  @Override
  public boolean isWaiting() {
    return first < next;
  }

  /// Releases elements up to where event time or the clock goes on: what is due then comes before
  /// the elements behind that.
  @Override
  public boolean poll(RowSink out) {
    if (!isWaiting()) {
      return addClock(CLOCK_MILLIS); // somebody else waits: it may be for a timer
    }
    if (Opened.store(passed).watermark() < released) {
      return false;
    }
    long before = first;
    boolean goesOn = true;
    while (goesOn && first < committed && first - before < ELEMENTS_AT_ONCE) {
      Bytes place = place(first);
      Bytes entry = Opened.store(Opened.store(store).get(place));
      goesOn = release(entry, out);
      Opened.store(store).delete(place);
      first++;
    }
    return first > before;
  }

  /// @return whether what is behind it may be released at once
  private boolean release(Bytes entry, RowSink out) {
    Frames.Reader from =
        new Frames.Reader(new Bytes().set(entry.array(), entry.offset() + 1, entry.length() - 1));
    byte kind = entry.get(0);
    switch (kind) {
      case WATERMARK -> released = from.readLong();
      case CLOCK -> setClock(from.readLong());
      default -> {
        Bytes key = kind == WITH_KEY ? from.frame() : null;
        out.emit(key, Coding.read(spec.coder(), entry, 1 + from.position()), 0);
      }
    }
    return kind == WITH_KEY || kind == WITHOUT_KEY;
  }

  @Override
  public long hold() {
    return released;
  }

  @Override
  public long passed() {
    return Opened.store(passed).watermark();
  }

  @Override
  public void passed(long to) {
    Opened.store(passed).watermark(to);
  }

  @Override
  public void beforeCommit(long number) {
    if (next > frozen) {
      addClock(0);
    }
    frozen = next;
    BytesWriter out = new BytesWriter(6 * Long.BYTES);
    for (long each : new long[] {first, next, watermark, released, millis, clock()}) {
      out.writeLong(each);
    }
    Bytes now = Bytes.of(out.toByteArray());
    if (!now.equals(kept)) {
      Opened.store(store).put(POSITION, now);
      kept = now;
    }
    Opened.store(passed).beforeCommit();
  }

  @Override
  public boolean afterCommit(long number) {
    boolean any = frozen > committed;
    committed = frozen;
    return any;
  }

  @Override
  public void close() {
    store = null;
  }
}
