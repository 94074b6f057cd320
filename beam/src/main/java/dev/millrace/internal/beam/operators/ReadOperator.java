package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.metrics.StepMetrics;
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
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.beam.sdk.coders.BigEndianLongCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.UnboundedSource.CheckpointMark;
import org.apache.beam.sdk.io.UnboundedSource.UnboundedReader;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads a task's part of a source. Its input has no rows: it reads whenever it is asked for what
/// has come. Which part that is, and where it stands, is kept with each commit; the latter is told
/// to the source when that has taken place.
public final class ReadOperator implements AsyncOperator {
  private static final Logger LOG = LoggerFactory.getLogger(ReadOperator.class);
  private static final int ELEMENTS_AT_ONCE = 1_000;
  private static final byte MARK = 'm';
  private static final byte SOURCE = 's';
  private static final Bytes COUNT = Bytes.of(new byte[] {'n'});

  private final Spec spec;
  private final StepMetrics metrics;
  private final List<Reading> readings = new ArrayList<>();
  private @Nullable KeyValueStore<Bytes, Bytes> store;
  private @Nullable Passed passed;

  /// Whether it is kept which parts of the source the task reads: a source need not be split in the
  /// same way again.
  private boolean sourcesKept;

  private int turn;

  /// What is read.
  ///
  /// @param operator the name of the node
  /// @param step the full name of the transform
  /// @param sources what each task reads, by its number
  /// @param limit of all of it together
  public record Spec(
      String operator,
      String step,
      PipelineOptions options,
      List<List<UnboundedSource<Object, CheckpointMark>>> sources,
      Limit limit) {
    /// Returns how many elements one of the sources gives: what is left over comes from the first.
    long elements(int task, int number) {
      long parts = sources.stream().mapToLong(List::size).sum();
      boolean isFirst = task == 0 && number == 0;
      return limit.elements() == Long.MAX_VALUE
          ? Long.MAX_VALUE
          : limit.elements() / parts + (isFirst ? limit.elements() % parts : 0);
    }

    StoreSpec<Bytes, Bytes> marks() {
      return StoreSpec.keyValue(operator + "-marks", BytesSerde.INSTANCE, BytesSerde.INSTANCE);
    }
  }

  /// When reading ends although the source does not.
  ///
  /// @param elements how many are read at most
  /// @param time for how long a source is read at most, from its first element on or since the task
  ///   has begun again; null for ever
  public record Limit(long elements, @Nullable Duration time) {
    public static final Limit NONE = new Limit(Long.MAX_VALUE, null);
  }

  private ReadOperator(Spec spec, StepMetrics metrics) {
    this.spec = spec;
    this.metrics = metrics;
  }

  /// The operator as a topology carries it.
  public static Declaration declare(Spec spec, RunContext run) {
    return new Declaration(
        () -> new ReadOperator(spec, run.metrics().of(spec.step())),
        List.of(spec.marks()),
        Parameters.of("beam Read"));
  }

  /// One source that is being read.
  private final class Reading {
    private final Bytes place;
    private final UnboundedSource<Object, CheckpointMark> source;
    private final @Nullable CheckpointMark from;
    private @Nullable UnboundedReader<Object> reader;
    private @Nullable CheckpointMark frozen;

    /// Up to where event time has come with what was emitted.
    private long watermark = BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis();

    private boolean changed;

    /// How many elements it may give still.
    private long left;

    private long endMillis = Long.MAX_VALUE;

    Reading(int task, int number, UnboundedSource<Object, CheckpointMark> source) {
      this.source = source;
      place = place(MARK, number);
      Bytes kept = Opened.store(store).get(place);
      from = kept == null ? null : Coding.read(source.getCheckpointMarkCoder(), kept, Long.BYTES);
      left =
          kept == null
              ? spec.elements(task, number)
              : Coding.read(BigEndianLongCoder.of(), kept, 0);
    }

    boolean hasEnded() {
      return watermark >= BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis();
    }

    /// @return how many elements were read
    int read(int budget, RowSink out) throws IOException {
      int count = 0;
      long atMost = Math.min(budget, left);
      if (atMost == 0 || System.currentTimeMillis() >= endMillis) {
        watermark = BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis();
        changed = true;
        return 0;
      }
      boolean any = reader == null ? start() : Opened.store(reader).advance();
      UnboundedReader<Object> from = Opened.store(reader);
      while (any) {
        out.emit(
            source.requiresDeduping() ? Bytes.of(from.getCurrentRecordId()) : null,
            WindowedValues.timestampedValueInGlobalWindow(
                from.getCurrent(), from.getCurrentTimestamp()),
            0);
        count++;
        any = count < atMost && from.advance();
      }
      changed |= count > 0;
      left -= left == Long.MAX_VALUE ? 0 : count;
      long now = from.getWatermark().getMillis();
      if (now > watermark) {
        watermark = now;
        changed = true;
      }
      return count;
    }

    private boolean start() throws IOException {
      UnboundedReader<Object> opened = source.createReader(spec.options(), from);
      reader = opened;
      Duration time = spec.limit().time();
      endMillis = time == null ? Long.MAX_VALUE : System.currentTimeMillis() + time.getMillis();
      return opened.start();
    }

    void beforeCommit() {
      UnboundedReader<Object> open = reader;
      if (open != null && changed) {
        changed = false;
        CheckpointMark mark = open.getCheckpointMark();
        frozen = mark;
        BytesWriter out = new BytesWriter(64);
        out.writeLong(left);
        Coding.write(source.getCheckpointMarkCoder(), mark, out);
        Opened.store(store).put(place, Bytes.of(out.toByteArray()));
      }
    }

    void afterCommit() {
      CheckpointMark mark = frozen;
      frozen = null;
      if (mark != null) {
        try {
          mark.finalizeCheckpoint();
        } catch (IOException e) {
          LOG.warn("{}: a checkpoint could not be finalized.", spec.step(), e);
        }
      }
    }

    void close() {
      try {
        if (reader != null) {
          reader.close();
        }
      } catch (IOException e) {
        LOG.warn("{}: a reader could not be closed.", spec.step(), e);
      }
    }
  }

  @Override
  public void open(OperatorContext context) {
    KeyValueStore<Bytes, Bytes> opened = context.store(spec.marks());
    store = opened;
    passed = new Passed(opened);
    int number = context.partition();
    for (UnboundedSource<Object, CheckpointMark> each : sources(opened, number)) {
      readings.add(new Reading(number, readings.size(), each));
    }
  }

  @SuppressWarnings("unchecked")
  private List<UnboundedSource<Object, CheckpointMark>> sources(
      KeyValueStore<Bytes, Bytes> opened, int task) {
    Bytes count = opened.get(COUNT);
    sourcesKept = count != null;
    if (count == null) {
      return spec.sources().get(task);
    }
    List<UnboundedSource<Object, CheckpointMark>> kept = new ArrayList<>();
    for (int i = 0; i < new Frames.Reader(count).readInt(); i++) {
      byte[] source = Opened.store(opened.get(place(SOURCE, i))).toByteArray();
      kept.add(
          (UnboundedSource<Object, CheckpointMark>)
              SerializableUtils.deserializeFromByteArray(source, spec.step()));
    }
    return kept;
  }

  private void keepSources() {
    KeyValueStore<Bytes, Bytes> open = Opened.store(store);
    for (int i = 0; i < readings.size(); i++) {
      open.put(
          place(SOURCE, i),
          Bytes.of(SerializableUtils.serializeToByteArray(readings.get(i).source)));
    }
    BytesWriter out = new BytesWriter(Integer.BYTES);
    out.writeInt(readings.size());
    open.put(COUNT, Bytes.of(out.toByteArray()));
    sourcesKept = true;
  }

  private static Bytes place(byte kind, int number) {
    BytesWriter out = new BytesWriter(Integer.BYTES + 1);
    out.writeByte(kind);
    out.writeInt(number);
    return Bytes.of(out.toByteArray());
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    while (rows.next()) {
      throw new IllegalStateException("Nothing is sent to " + spec.step());
    }
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  @Override
  public boolean isWaiting() {
    for (Reading each : readings) {
      if (!each.hasEnded()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean poll(RowSink out) {
    try (Closeable _ = metrics.counting()) {
      long before = hold();
      int count = 0;
      for (int i = 0; i < readings.size() && count == 0; i++) {
        Reading next = readings.get(turn);
        turn = (turn + 1) % readings.size();
        if (!next.hasEnded()) {
          count = next.read(ELEMENTS_AT_ONCE, out);
        }
      }
      return count > 0 || hold() > before;
    } catch (IOException e) {
      throw new UncheckedIOException(spec.step() + " cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public long hold() {
    long least = Long.MAX_VALUE;
    for (Reading each : readings) {
      least = Math.min(least, each.hasEnded() ? Long.MAX_VALUE : each.watermark);
    }
    return least;
  }

  @Override
  public long passed() {
    return Opened.store(passed).watermark();
  }

  @Override
  public void passed(long watermark) {
    Opened.store(passed).watermark(watermark);
  }

  @Override
  public void beforeCommit(long number) {
    if (!sourcesKept) {
      keepSources();
    }
    counting(Reading::beforeCommit);
    Opened.store(passed).beforeCommit();
    metrics.beforeCommit();
  }

  @Override
  public boolean afterCommit(long number) {
    counting(Reading::afterCommit);
    metrics.afterCommit();
    return false;
  }

  /// Does something with each source, whose metrics are counted.
  private void counting(Consumer<Reading> work) {
    try (Closeable _ = metrics.counting()) {
      readings.forEach(work);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    readings.forEach(Reading::close);
    readings.clear();
  }
}
