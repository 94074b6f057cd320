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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The right to run one container, held by one process at a time.
///
/// The holder writes a sign of life to the topic `<application>-containers` at every [#BEAT].
/// Whoever wants the container reads the last one. If it was released, or its process is known to
/// be dead, the container is free; otherwise its next sign of life is awaited: if it comes, the
/// container is taken, and if it does not come within [#PATIENCE], it is free. Nobody compares
/// clocks.
///
/// The lease keeps two careless starts from disturbing each other. It guards no data: that is the
/// business of fencing, which whoever gets the lease does next. So a holder that cannot reach the
/// log goes on, and looks who wrote last before it writes again. Used by one thread, which calls
/// [#step]; opening the writer may make that wait for the log.
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
    /// That the container is let go of is being written.
    RELEASING,
    /// Another process holds the container, and it was not to be taken over. Final.
    REFUSED,
    /// Another process took the container over. Final.
    LOST,
    RELEASED
  }

  private static final Logger LOG = LoggerFactory.getLogger(ContainerLease.class);
  private static final Duration RETRY = Duration.ofMillis(500);

  /// How long a step waits for the log while it reads what the last holder wrote.
  private static final Duration READ = Duration.ofMillis(20);

  private final Log log;
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
  private volatile boolean foundDead;
  private long end;
  private long seen;
  private @Nullable Beat last;
  private long sinceNanos;
  private long number;
  private boolean writing;
  private boolean opened;
  private boolean released;
  private long notBeforeNanos;

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

  public ContainerLease(Request request, Log log, Clock clock) {
    this.clock = clock;
    container = request.container();
    self = request.self();
    knownDead = request.knownDead();
    takeOver = request.takeOver();
    this.log = log;
    split = new Split(topic(request.application()).name(), 0);
    // Not one of the ids that fencing the application's writers would bar.
    writer = log.writer(request.application() + "@container." + container, Duration.ofSeconds(10));
    sinceNanos = clock.nanos();
    notBeforeNanos = sinceNanos;
  }

  /// The topic with the signs of life of an application's containers; it must exist.
  public static TopicSpec topic(String application) {
    Map<String, String> compacted = new TreeMap<>();
    compacted.put("cleanup.policy", "compact");
    return new TopicSpec(application + "-containers", 1, -1, compacted);
  }

  /// Thread-safe.
  public State state() {
    return state;
  }

  /// Whether the container is this process's alone: held, or its last holder was found dead, so
  /// that nobody takes it before the first sign of life is written. Thread-safe.
  public boolean ours() {
    State now = state;
    return now == State.HELD || (now == State.TAKING && foundDead);
  }

  /// Who holds the container, in states `REFUSED` and `LOST`, if known. Thread-safe.
  public @Nullable Holder other() {
    return other;
  }

  /// Goes on as far as possible. Waits for nothing but the log; if that is not available, it is
  /// asked again at a later step.
  ///
  /// @throws LogException if the log refuses
  public void step() {
    if (clock.nanos() - notBeforeNanos < 0) {
      return;
    }
    try {
      switch (state) {
        case READING, WATCHING -> read();
        case TAKING, HELD, RELEASING -> beat();
        case REFUSED, LOST, RELEASED -> {}
      }
    } catch (LogException e) {
      if (e.kind() == LogException.Kind.FENCED) {
        state = State.LOST;
      } else if (e.kind() == LogException.Kind.UNAVAILABLE) {
        LOG.warn("{} is not available: {}", split, e.getMessage());
        later();
      } else {
        throw e;
      }
    }
  }

  private void later() {
    notBeforeNanos = clock.nanos() + RETRY.toNanos();
  }

  private void read() {
    poll();
    if (state == State.READING && seen >= end) {
      decide();
    } else if (state == State.WATCHING && clock.nanos() - sinceNanos >= PATIENCE.toNanos()) {
      take();
    }
  }

  /// Reads on, from the beginning if nothing was read yet.
  private void poll() {
    SplitReader from = reader;
    if (from == null) {
      Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
      end = offsets.stableEnd();
      seen = offsets.start();
      from = log.reader("lease");
      reader = from;
      from.add(split, Position.of(seen));
    }
    RecordBatch batch = from.poll(state == State.READING ? READ : Duration.ZERO);
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
    if (found == null || found.released()) {
      take();
      return;
    }
    foundDead = knownDead.test(found.holder());
    if (foundDead || takeOver) {
      take();
    } else {
      other = found.holder();
      state = State.WATCHING;
      sinceNanos = clock.nanos();
    }
  }

  private void take() {
    closeReader();
    state = State.TAKING;
    other = null;
    open();
    write(false);
  }

  private void open() {
    writer.open();
    opened = true;
  }

  private void closeReader() {
    SplitReader closing = reader;
    reader = null;
    if (closing != null) {
      closing.close();
    }
  }

  private void write(boolean releases) {
    released = releases;
    RecordBatch batch = RecordBatch.create().reset(split, new byte[0], 0);
    batch.append(0, Math.max(0, clock.millis()));
    byte[] key = {
      (byte) (container >> 24), (byte) (container >> 16), (byte) (container >> 8), (byte) container
    };
    batch.key(key, 0, key.length);
    int start = batch.data().length();
    self.beat(container, ++number, releases).write(batch.data());
    batch.endValue(start);
    writer.send(split, batch);
    writer.commit();
    writing = true;
    sinceNanos = clock.nanos();
  }

  private void beat() {
    if (writing) {
      awaitOutcome();
    } else if (!opened) {
      openAnew();
    } else if (state == State.RELEASING) {
      write(true);
    } else if (state == State.TAKING || clock.nanos() - sinceNanos >= BEAT.toNanos()) {
      write(false);
    }
  }

  private void awaitOutcome() {
    TransactionalWriter.Outcome outcome = writer.outcome();
    switch (outcome) {
      case PENDING -> {}
      case COMMITTED -> {
        writing = false;
        if (state == State.TAKING) {
          state = State.HELD;
        } else if (state == State.RELEASING && released) {
          state = State.RELEASED;
        }
      }
      case ABORTED, UNKNOWN -> {
        LOG.warn("No sign of life could be written to {}: {}", split, writer.failure());
        writing = false;
        opened = outcome == TransactionalWriter.Outcome.ABORTED;
        later();
      }
      case FENCED -> state = State.LOST;
      case OPEN -> throw new AssertionError("A commit was asked for and is forgotten.");
    }
  }

  /// Another process may have waited in vain for a sign of life meanwhile. It holds the container
  /// then, and opening the writer would take it away.
  private void openAnew() {
    if (state != State.TAKING) {
      poll();
      if (seen < end) {
        return;
      }
      closeReader();
      Beat found = last;
      if (found != null && !found.holder().equals(self)) {
        other = found.holder();
        state = State.LOST;
        return;
      }
    }
    open();
  }

  /// Lets go of the container, so that others need not wait; [#step] goes on until it is
  /// `RELEASED`.
  public void release() {
    switch (state) {
      case TAKING, HELD -> state = State.RELEASING;
      case READING, WATCHING -> state = State.RELEASED;
      case RELEASING, REFUSED, LOST, RELEASED -> {}
    }
  }

  /// Lets go of the log. Whoever wants the container then has to wait for it, unless it is
  /// released.
  @Override
  public void close() {
    closeReader();
    writer.close();
  }
}
