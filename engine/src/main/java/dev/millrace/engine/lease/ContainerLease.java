package dev.millrace.engine.lease;

import dev.millrace.api.serde.Bytes;
import dev.millrace.engine.lease.Holder.Beat;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The right to run one container, held by one process at a time.
///
/// The holder writes a sign of life to the topic `<application>-containers` at every [#BEAT].
/// Whoever wants the container reads the last one. If it was released, or its process is known to
/// be dead, the container is free; otherwise its next sign of life is awaited: if it comes, the
/// container is taken, and if it does not come within [#PATIENCE], it is free. Nobody compares
/// clocks.
///
/// The lease keeps two careless starts from disturbing each other. It guards no data: that is the
/// business of fencing, which whoever gets the lease does next. Used by one thread, which calls
/// [#step].
public final class ContainerLease implements AutoCloseable {
  /// How often the holder shows that it lives.
  public static final Duration BEAT = Duration.ofSeconds(2);

  /// How long a holder may be silent.
  public static final Duration PATIENCE = Duration.ofSeconds(6);

  public enum State {
    /// What the last holder wrote is being read.
    READING,
    /// A sign of life of the last holder is awaited.
    WATCHING,
    /// The first sign of life is being written.
    TAKING,
    HELD,
    /// Another process holds the container, and it was not to be taken over. Final.
    REFUSED,
    /// Another process took the container over. Final.
    LOST,
    RELEASED
  }

  private final Clock clock;
  private final int container;
  private final Holder self;
  private final Predicate<Holder> knownDead;
  private final boolean takeOver;
  private final Split split;
  private final TransactionalWriter writer;
  private @Nullable SplitReader reader;
  private volatile State state = State.READING;
  private volatile @Nullable Holder other;
  private long end;
  private long seen;
  private @Nullable Beat last;
  private long sinceNanos;
  private long number;
  private boolean writing;

  /// What a lease is asked for.
  ///
  /// @param knownDead whether a process that held the container is certainly gone
  /// @param takeOver whether to take the container from a process that lives
  public record Request(
      String application,
      int container,
      Holder self,
      Predicate<Holder> knownDead,
      boolean takeOver) {}

  /// The topic with the signs of life of an application's containers.
  public static String topic(String application) {
    return application + "-containers";
  }

  public ContainerLease(Request request, Log log, Clock clock) {
    this.clock = clock;
    container = request.container();
    self = request.self();
    knownDead = request.knownDead();
    takeOver = request.takeOver();
    String topic = topic(request.application());
    Map<String, String> compacted = new TreeMap<>();
    compacted.put("cleanup.policy", "compact");
    log.createTopic(new TopicSpec(topic, 1, -1, compacted));
    split = new Split(topic, 0);
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    end = offsets.stableEnd();
    seen = offsets.start();
    SplitReader opened = log.reader("lease");
    opened.add(split, Position.of(seen));
    reader = opened;
    // Not one of the ids that fencing the application's writers would bar.
    writer = log.writer(request.application() + "@container." + container, Duration.ofSeconds(10));
    sinceNanos = clock.nanos();
  }

  /// Thread-safe.
  public State state() {
    return state;
  }

  /// Who holds the container, in states `REFUSED` and `LOST`, if known. Thread-safe.
  public @Nullable Holder other() {
    return other;
  }

  /// Goes on as far as possible without waiting, but for the log.
  public void step() {
    switch (state) {
      case READING, WATCHING -> read();
      case TAKING, HELD -> beat();
      case REFUSED, LOST, RELEASED -> {}
    }
  }

  private void read() {
    SplitReader from = Objects.requireNonNull(reader);
    RecordBatch batch = from.poll(Duration.ZERO);
    if (batch != null) {
      Bytes view = new Bytes();
      for (int i = 0; i < batch.size(); i++) {
        if (batch.hasValue(i)) {
          notice(Beat.read(batch.value(i, view)));
        }
      }
      seen = batch.nextOffset();
      batch.release();
    }
    if (state == State.READING && seen >= end) {
      decide();
    } else if (state == State.WATCHING && clock.nanos() - sinceNanos >= PATIENCE.toNanos()) {
      take();
    }
  }

  private void notice(Beat beat) {
    if (beat.container() != container) {
      return;
    }
    Beat before = last;
    last = beat;
    if (state != State.WATCHING || before == null) {
      return;
    }
    if (beat.released()) {
      take();
    } else {
      other = beat.holder();
      state = State.REFUSED;
      closeReader();
    }
  }

  private void decide() {
    Beat found = last;
    if (found == null || found.released() || takeOver || knownDead.test(found.holder())) {
      take();
    } else {
      other = found.holder();
      state = State.WATCHING;
      sinceNanos = clock.nanos();
    }
  }

  private void take() {
    closeReader();
    writer.open();
    state = State.TAKING;
    other = null;
    write(false);
  }

  private void closeReader() {
    SplitReader closing = reader;
    reader = null;
    if (closing != null) {
      closing.close();
    }
  }

  private void write(boolean released) {
    RecordBatch batch = RecordBatch.create().reset(split, new byte[0], 0);
    batch.append(0, Math.max(0, clock.millis()));
    byte[] key = {
      (byte) (container >> 24), (byte) (container >> 16), (byte) (container >> 8), (byte) container
    };
    batch.key(key, 0, key.length);
    int start = batch.data().length();
    self.beat(container, ++number, released).write(batch.data());
    batch.endValue(start);
    writer.send(split, batch);
    writer.commit();
    writing = true;
    sinceNanos = clock.nanos();
  }

  private void beat() {
    if (writing) {
      switch (writer.outcome()) {
        case PENDING -> {
          return;
        }
        case COMMITTED -> {
          writing = false;
          state = State.HELD;
        }
        case ABORTED, OPEN -> writing = false;
        case UNKNOWN -> {
          writing = false;
          reopen();
        }
        case FENCED -> state = State.LOST;
      }
    } else if (clock.nanos() - sinceNanos >= BEAT.toNanos() || state == State.TAKING) {
      write(false);
    }
  }

  private void reopen() {
    try {
      writer.open();
    } catch (LogException e) {
      if (e.kind() == LogException.Kind.FENCED) {
        state = State.LOST;
      } else {
        throw e;
      }
    }
  }

  /// Lets go of the container: others need not wait. Waits for the log, a few seconds at most.
  @Override
  public void close() {
    closeReader();
    if (state == State.HELD && !writing) {
      write(true);
    }
    writer.close();
    state = State.RELEASED;
  }
}
