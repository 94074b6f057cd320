package dev.millrace.internal.engine.lease;

import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
/// All processes of an application must have been told the same [Placement], for those of another
/// one bar each other's writers; and read the same streams, or some of a stream's partitions would
/// be read and others not, unless their programs are versions of which one is [replacing the
/// other][ProgramVersion#beside]. So signs of life of the other containers that tell of another one
/// are awaited in the same way, and if one comes, this process is refused before it has barred
/// anybody. Of two that start at the same time, the one whose first sign of life comes later in the
/// log sees the other's, and is refused.
///
/// The lease keeps careless starts from disturbing others. It guards no data: that is the business
/// of fencing, which whoever gets the lease does next. So a holder that cannot reach the log goes
/// on, and looks who wrote last before it writes again. It also reads on, and knows which
/// containers nobody runs. Used by one thread, which calls [#step]; opening the writer may make
/// that wait for the log.
public final class ContainerLease implements AutoCloseable {
  /// How often the holder shows that it lives.
  public static final Duration BEAT = Duration.ofSeconds(2);

  /// How long a holder may be silent.
  public static final Duration PATIENCE = Duration.ofSeconds(6);

  public enum State {
    /// What the last holders wrote is being read.
    READING,
    /// Signs of life of the last holders are awaited.
    WATCHING,
    /// The container is free, and what else the process needs is not its own yet.
    BLOCKED,
    /// The first sign of life is being written, and read again.
    TAKING,
    HELD,
    /// That the container is let go of is being written.
    RELEASING,
    /// Another process holds the container, and it was not to be taken over; or the application
    /// runs under another placement. Final.
    REFUSED,
    /// Another process took the container over. Final.
    LOST,
    RELEASED
  }

  private static final Logger LOG = LoggerFactory.getLogger(ContainerLease.class);
  private static final Duration RETRY = Duration.ofMillis(500);

  /// How long a step waits for the log while it reads what the last holders wrote.
  private static final Duration READ = Duration.ofMillis(20);

  /// With every how many signs of life the holder tells of its state.
  private static final int REPORTED = 15;

  /// How often a holder reads what the others write.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Clock clock;
  private final Request request;
  private final Split split;
  private final TransactionalWriter writer;
  private final SignReader signs;
  private final Presence presence;

  /// The last sign of life of each container.
  private final Map<Integer, SignOfLife> last = new TreeMap<>();

  /// The containers whose next sign of life decides.
  private final Set<Integer> awaited = new TreeSet<>();

  private volatile State state = State.READING;
  private volatile @Nullable Holder other;
  private volatile SortedMap<Integer, SignOfLife> differing = Collections.emptySortedMap();
  private volatile boolean foundDead;
  private volatile Supplier<@Nullable StateReport> reports = () -> null;
  private boolean refused;
  private long watchingNanos;
  private long differingNanos;
  private long sinceNanos;
  private long number;
  private boolean shown;
  private boolean writing;
  private boolean opened;
  private boolean released;
  private long lookedNanos;
  private long notBeforeNanos;

  /// What a lease is asked for.
  ///
  /// @param knownDead whether a process that held the container is certainly gone
  /// @param ready whether what else the process needs to run the container is its own, such as its
  ///   state directory; the container is taken from nobody before
  /// @param takeOver whether to take the container from a process that lives
  public record Request(
      String application,
      Placement placement,
      ProgramVersion program,
      Holder self,
      Predicate<Holder> knownDead,
      BooleanSupplier ready,
      boolean takeOver) {
    int container() {
      return placement.container();
    }

    /// Whether a process can run beside this one.
    boolean fits(SignOfLife sign) {
      return sign.fits(placement, program);
    }
  }

  public ContainerLease(Request request, Log log, Clock clock) {
    this.clock = clock;
    this.request = request;
    split = new Split(topic(request.application()).name(), 0);
    signs = new SignReader(log, split);
    presence = new Presence(request.placement(), request.self(), request.program());
    // Not one of the ids that fencing the application's writers would bar.
    writer =
        log.writer(
            request.application() + "@container." + request.container(), Duration.ofSeconds(10));
    sinceNanos = clock.nanos();
    lookedNanos = sinceNanos;
    notBeforeNanos = sinceNanos;
  }

  /// The topic with the signs of life of an application's containers; it must exist.
  public static TopicSpec topic(String application) {
    Map<String, String> compacted = new TreeMap<>();
    compacted.put("cleanup.policy", "compact");
    // A sign of life has the time of its writer's clock, however wrong that is.
    compacted.put("message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
    compacted.put("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    return new TopicSpec(application + "-containers", 1, -1, compacted);
  }

  /// Tells of the container's state from now on, if there is anything to tell. Thread-safe.
  public void reports(Supplier<@Nullable StateReport> ofState) {
    reports = ofState;
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

  /// Who holds the container, or did before it is taken, if known. Thread-safe.
  public @Nullable Holder other() {
    return other;
  }

  /// By container, the processes that run the application under another placement or read streams
  /// that do not fit; in state `REFUSED`, empty if that is not the reason. Thread-safe.
  public SortedMap<Integer, SignOfLife> differing() {
    return differing;
  }

  /// Whether all of these were told the same placement, so that it is what they read that differs.
  /// Thread-safe.
  public boolean differingAlike() {
    return differing.values().stream()
        .allMatch(sign -> sign.placement().equals(request.placement().text()));
  }

  /// The containers of the application that nobody runs, as far as a holder can tell. Thread-safe.
  public SortedSet<Integer> missing() {
    return presence.missing();
  }

  /// The last signs of life of the other containers that run another version of the program, as far
  /// as a holder can tell. Thread-safe.
  public SortedMap<Integer, SignOfLife> otherVersions() {
    return presence.otherVersions();
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
        case READING, WATCHING, BLOCKED -> read();
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
    if (isFinal()) {
      signs.close();
    }
  }

  private boolean isFinal() {
    return state == State.REFUSED || state == State.LOST || state == State.RELEASED;
  }

  private void later() {
    notBeforeNanos = clock.nanos() + RETRY.toNanos();
  }

  private void read() {
    boolean all = signs.read(state == State.READING ? READ : Duration.ZERO, this::notice);
    if (state == State.READING && all) {
      decide();
    } else if (state == State.WATCHING || state == State.BLOCKED) {
      watch();
    }
  }

  private void decide() {
    for (SignOfLife found : last.values()) {
      if (found.released()) {
        continue;
      }
      boolean same = request.fits(found);
      if (found.container() != request.container()) {
        if (!same) {
          awaited.add(found.container());
        }
      } else if (request.knownDead().test(found.holder())) {
        // Of what differs, others may have begun to wait for its signs of life.
        foundDead = found.isAlike(request.placement(), request.program());
      } else {
        other = found.holder();
        if (!request.takeOver()) {
          awaited.add(found.container());
        }
      }
    }
    watchingNanos = clock.nanos();
    if (awaited.isEmpty()) {
      take();
    } else {
      state = State.WATCHING;
    }
  }

  /// Takes in the next sign of life in the log.
  private void notice(SignOfLife sign) {
    last.put(sign.container(), sign);
    switch (state) {
      case WATCHING, BLOCKED -> noticeWhileWatching(sign);
      case TAKING -> noticeWhileTaking(sign);
      case HELD, RELEASING, READING, REFUSED, LOST, RELEASED -> {}
    }
    presence.notice(sign);
  }

  private void noticeWhileWatching(SignOfLife sign) {
    boolean ours = sign.container() == request.container();
    if (differs(sign) && !(ours && request.takeOver())) {
      add(sign);
    } else if (ours && !sign.released() && !request.takeOver()) {
      other = sign.holder();
      state = State.REFUSED;
    } else {
      awaited.remove(sign.container());
    }
  }

  private boolean differs(SignOfLife sign) {
    return !sign.released() && !request.fits(sign);
  }

  private void add(SignOfLife sign) {
    SortedMap<Integer, SignOfLife> more = new TreeMap<>(differing);
    if (more.isEmpty()) {
      differingNanos = clock.nanos();
    }
    more.put(sign.container(), sign);
    differing = Collections.unmodifiableSortedMap(more);
  }

  private void watch() {
    if (!differing.isEmpty()) {
      // The others who live are to be named too.
      if (differing.keySet().containsAll(awaited)
          || clock.nanos() - differingNanos >= BEAT.toNanos()) {
        state = State.REFUSED;
      }
    } else if (awaited.isEmpty() || clock.nanos() - watchingNanos >= PATIENCE.toNanos()) {
      take();
    }
  }

  private void take() {
    if (!request.ready().getAsBoolean()) {
      state = State.BLOCKED;
      return;
    }
    state = State.TAKING;
    other = null;
    open();
    write(false);
  }

  /// What comes between the signs that were there and the first one of this process was written
  /// meanwhile, so whoever wrote it lives.
  private void noticeWhileTaking(SignOfLife sign) {
    if (sign.holder().equals(request.self())) {
      if (!sign.released()) {
        state = refused ? State.RELEASING : State.HELD;
      }
    } else if (sign.container() != request.container() && differs(sign)) {
      add(sign);
      refused = true;
    }
  }

  private void open() {
    writer.open();
    opened = true;
  }

  private void write(boolean releases) {
    released = releases;
    SignOfLife sign =
        SignOfLife.of(request.placement(), request.program(), request.self(), ++number, releases);
    RecordBatch batch = RecordBatch.create().reset(split, new byte[0], 0);
    batch.append(0, Math.max(0, clock.millis()));
    byte[] key = sign.key();
    batch.key(key, 0, key.length);
    int start = batch.data().length();
    sign.write(batch.data());
    batch.endValue(start);
    writer.send(split, batch);
    StateReport report = releases || number % REPORTED == 0 ? reports.get() : null;
    if (report != null) {
      writer.send(split, report.record(split, clock.millis()));
    }
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
    } else if (state == State.TAKING && shown) {
      signs.read(READ, this::notice);
    } else if (state == State.TAKING || clock.nanos() - sinceNanos >= BEAT.toNanos()) {
      write(false);
    } else {
      look();
    }
  }

  /// Hears of the others. That is not what the container depends on: if it cannot be done now, the
  /// next look does it.
  private void look() {
    if (clock.nanos() - lookedNanos < LOOK.toNanos()) {
      return;
    }
    lookedNanos = clock.nanos();
    try {
      signs.read(Duration.ZERO, this::notice);
    } catch (LogException e) {
      LOG.debug("The signs of life of other containers cannot be read now.", e);
      signs.beginAnew();
    }
  }

  private void awaitOutcome() {
    TransactionalWriter.Outcome outcome = writer.outcome();
    switch (outcome) {
      case PENDING -> {}
      case COMMITTED -> {
        writing = false;
        if (state == State.TAKING) {
          shown = true;
        } else if (state == State.RELEASING && released) {
          state = refused ? State.REFUSED : State.RELEASED;
        }
      }
      case ABORTED, UNKNOWN -> {
        LOG.warn("No sign of life could be written to {}: {}", split, writer.failure());
        writing = false;
        opened = outcome == TransactionalWriter.Outcome.ABORTED;
        signs.beginAnew();
        later();
      }
      case FENCED -> state = State.LOST;
      case OPEN -> throw new AssertionError("A commit was requested and is discarded.");
    }
  }

  /// Another process may have waited in vain for a sign of life meanwhile. It holds the container
  /// then, and opening the writer would take it away.
  private void openAnew() {
    if (state != State.TAKING) {
      if (!signs.read(READ, this::notice)) {
        return;
      }
      SignOfLife found = last.get(request.container());
      if (found != null && !found.holder().equals(request.self())) {
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
      case READING, WATCHING, BLOCKED -> state = State.RELEASED;
      case RELEASING, REFUSED, LOST, RELEASED -> {}
    }
  }

  /// Lets go of the log. Whoever wants the container then has to wait for it, unless it is
  /// released.
  @Override
  public void close() {
    signs.close();
    writer.close();
  }
}
