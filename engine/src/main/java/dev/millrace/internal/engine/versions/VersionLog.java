package dev.millrace.internal.engine.versions;

import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.settings.ChangeConfig;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is kept of the plans of an application, in the topic `<application>-versions`, as
/// [Recorded] says.
///
/// A start reads it, and a plan that differs is refused before anything else is done ([#check]).
/// The first start, or one whose difference was accepted, writes its own ([#propose]): it opens the
/// one writer there is of the topic, which bars whoever else was about to, reads once more what
/// that one may have written, and only then writes. So of several that start at once with different
/// plans one is recorded, and all others are refused.
///
/// A change that is recorded opens a [Deployment], in which the plan before it may be returned to:
/// its program may be started, and what is written can be read by it ([#writesFor]). Where it could
/// not be read, no deployment is opened ([#unreadable]).
///
/// Used by one thread, which calls [#step]; opening the writer and asking for offsets may make that
/// wait for the log.
public final class VersionLog implements AutoCloseable {
  public enum State {
    /// What was recorded is being read.
    READING,
    /// What was recorded does not speak against the plan.
    CHECKED,
    /// Another process was about to record a plan; what it wrote is awaited.
    YIELDING,
    /// Nothing is written by anybody else any more, and what was is being read once more.
    READING_LAST,
    WRITING,
    /// The plan is what was recorded last.
    RECORDED
  }

  private static final PlanDescription NONE = new PlanDescription(List.of());

  private static final Logger LOG = LoggerFactory.getLogger(VersionLog.class);
  private static final Duration TRANSACTION = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);

  /// How long a process that was barred waits for what the other one writes.
  private static final Duration YIELD = Duration.ofMillis(300);

  private final Log log;
  private final Clock clock;
  private final ApplicationName application;
  private final Split split;
  private final Program program;
  private final String accepted;
  private @Nullable Admission admission;
  private State state = State.READING;
  private @Nullable SplitReader reader;
  private @Nullable TransactionalWriter writer;
  private Recorded recorded;
  private long seen;
  private long end;
  private long sinceNanos;

  /// @param program what is to run
  /// @param accepted the id of a change that was accepted, [ChangeConfig#AUTO], or empty for none
  public VersionLog(
      ApplicationName application, Program program, String accepted, Log log, Clock clock) {
    this(new ApplicationNames.Found(application, new Recorded()), program, accepted, log, clock);
  }

  /// @param named the application, with what was read of the topic a moment ago: only what came
  ///   after it is read before plans are compared
  /// @param program what is to run
  /// @param accepted the id of a change that was accepted, [ChangeConfig#AUTO], or empty for none
  public VersionLog(
      ApplicationNames.Found named, Program program, String accepted, Log log, Clock clock) {
    application = named.application();
    recorded = named.recorded();
    this.program = program;
    this.accepted = accepted;
    this.log = log;
    this.clock = clock;
    split = new Split(topic(application.storage()).name(), 0);
  }

  /// The topic with the descriptions of an application's plans.
  public static TopicSpec topic(String application) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("cleanup.policy", "compact");
    // A record's time is that of the writer's clock, which may be wrong.
    settings.put("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    settings.put("message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
    return new TopicSpec(application + "-versions", 1, -1, settings);
  }

  /// Returns what is recorded by now, which is nothing if the topic does not exist. Waits for the
  /// log.
  ///
  /// @param pause between two looks
  /// @throws PlanRefusedException if it cannot be read here
  public static Recorded recorded(String application, Log log, Clock clock, Runnable pause) {
    return recorded(application, State.READING, log, clock, pause);
  }

  /// Returns all that was recorded by others, for one that has opened the [#writer]: what they had
  /// committed just before becomes visible a moment later, which is waited for.
  ///
  /// @param pause between two looks
  /// @throws PlanRefusedException if it cannot be read here
  public static Recorded recordedLast(String application, Log log, Clock clock, Runnable pause) {
    return recorded(application, State.READING_LAST, log, clock, pause);
  }

  private static Recorded recorded(
      String application, State reading, Log log, Clock clock, Runnable pause) {
    if (log.topics(List.of(topic(application).name())).isEmpty()) {
      return new Recorded();
    }
    ApplicationName own = ApplicationName.of(application);
    return recorded(new ApplicationNames.Found(own, new Recorded()), reading, log, clock, pause);
  }

  /// Returns what is recorded by now, of which only what came after what is known is read.
  private static Recorded recorded(
      ApplicationNames.Found known, State reading, Log log, Clock clock, Runnable pause) {
    long begunNanos = clock.nanos();
    try (VersionLog versions = new VersionLog(known, _ -> NONE, "", log, clock)) {
      versions.state = reading;
      versions.read();
      while (versions.seen < versions.end) {
        if (clock.nanos() - begunNanos > PATIENCE.toNanos()) {
          throw new LogException(
              LogException.Kind.UNAVAILABLE,
              "%s could not be read within %d s.".formatted(versions.split, PATIENCE.toSeconds()));
        }
        pause.run();
        versions.read();
      }
      return versions.recorded;
    }
  }

  public State state() {
    return state;
  }

  /// Returns the application with what is recorded of it, as far as it was read.
  public ApplicationNames.Found known() {
    return new ApplicationNames.Found(application, recorded);
  }

  /// Returns whether the plan is what was recorded last, as far as it was read, or may be returned
  /// to without being recorded. A process that runs it asks [#mayBegin] once it shows that it
  /// lives.
  public boolean isRecorded() {
    Admission found = admission;
    return found != null && (!found.isNew() || found.plan().equals(recorded.plan()));
  }

  /// Returns whether the plan is the one before the change that is being rolled out.
  public boolean isFormer() {
    Admission found = admission;
    return found != null && !found.isNew() && !found.plan().equals(recorded.plan());
  }

  /// Returns whether a process may run that is about to begin with a plan: that is the current one
  /// still, or the one before a change that was neither finalized nor rolled back since, nor is
  /// that about to happen. Whoever finalizes says so first, and looks then which processes show
  /// that they live; so one of the two sees the other. Waits for the log.
  ///
  /// @param known what was recorded when the plan was admitted: the topic is only read if there is
  ///   more by now
  /// @param plan that the process was admitted with
  /// @param pause between two looks
  public static boolean mayBegin(
      ApplicationNames.Found known, PlanDescription plan, Log log, Clock clock, Runnable pause) {
    Recorded found = recorded(known, State.READING_LAST, log, clock, pause);
    if (plan.equals(found.plan())) {
      return true;
    }
    return !found.isClosing() && (plan.equals(found.returned()) || plan.equals(found.former()));
  }

  /// Returns the older plan that has to be able to read what is written; null if there is none.
  public @Nullable PlanDescription writesFor() {
    return admission == null ? null : admission.writesFor();
  }

  /// Returns what the plan before could not read of what this one writes, a clause for each store
  /// and exchange: once this one is recorded, it cannot be returned to. Empty if it can, or if this
  /// one is recorded already.
  public List<String> unreadable() {
    return admission == null ? List.of() : admission.unreadable();
  }

  /// Returns the change that is being rolled out, as far as that was read; null if there is none.
  public @Nullable Deployment deployment() {
    return recorded.deployment();
  }

  /// Returns the plan before the one that is to run: what was recorded last when they were
  /// compared; null if nothing was.
  public @Nullable PlanDescription before() {
    return admission == null ? recorded.plan() : admission.before();
  }

  /// Returns the numbers of all plans that the state may be of.
  public Set<Long> versions() {
    return recorded.versions();
  }

  /// Where the application was told to begin, as far as that was read.
  public GivenStart start() {
    return recorded.start();
  }

  /// What the plan reads and the one that was recorded before does not. State goes on with that: it
  /// is read from where a first start would read it.
  public SortedSet<String> newInputs() {
    return admission == null ? Collections.emptySortedSet() : admission.newInputs();
  }

  /// Goes on as far as possible.
  ///
  /// @throws PlanRefusedException if what was recorded speaks against the plan, or cannot be read
  /// @throws LogException if the log does not answer, or refuses
  public void step() {
    switch (state) {
      case READING -> {
        read();
        if (seen >= end) {
          check();
          state = State.CHECKED;
        }
      }
      case YIELDING -> yielding();
      case READING_LAST -> readLast();
      case WRITING -> awaitOutcome();
      case CHECKED, RECORDED -> {}
    }
  }

  /// The one writer there is of the topic. Its id is none of those that fencing the application's
  /// writers bars.
  public static TransactionalWriter writer(Log log, String application) {
    return log.writer(application + "@versions", TRANSACTION);
  }

  /// Has the plan recorded by the steps that follow. The topic must exist.
  public void propose() {
    open();
  }

  private void open() {
    TransactionalWriter opened = writer;
    if (opened == null) {
      opened = writer(log, application.storage());
      writer = opened;
    }
    try {
      opened.open();
    } catch (LogException e) {
      if (e.kind() != LogException.Kind.FENCED) {
        throw e;
      }
      barred(opened);
      return;
    }
    readAnew();
    state = State.READING_LAST;
  }

  /// Reads on, from the beginning if nothing was read yet.
  private void read() {
    SplitReader from = reader;
    if (from == null) {
      Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
      seen = Math.max(offsets.start(), recorded.readTo());
      end = state == State.READING_LAST ? offsets.end() : offsets.stableEnd();
      if (seen >= end || offsets.stableEnd() < end) {
        return; // there is nothing more, or it is not all visible yet and is asked for again
      }
      from = log.reader("versions");
      reader = from;
      from.add(split, Position.of(seen));
    }
    RecordBatch batch = from.poll(POLL);
    if (batch != null) {
      try {
        recorded.notice(batch, end);
        seen = batch.nextOffset();
      } finally {
        batch.release();
      }
    }
  }

  /// Forgets what was read, and reads from the beginning.
  private void readAnew() {
    recorded = new Recorded();
    closeReader();
  }

  private void closeReader() {
    SplitReader closing = reader;
    reader = null;
    if (closing != null) {
      closing.close();
    }
  }

  private void check() {
    if (!recorded.start().finished()) {
      throw new PlanRefusedException(
          "A reset of application '%1$s' was begun and not completed, so a part of its state may be deleted. Complete it: millrace app reset %1$s."
              .formatted(application.name()));
    }
    new ApplicationNames.Found(application, recorded).require();
    if (recorded.storedAs() != null) {
      throw new PlanRefusedException(
          "An application was renamed to '%s' while this process started. Nothing was changed. Start it again."
              .formatted(application.name()));
    }
    admission = Admission.of(application.name(), program, accepted, recorded);
  }

  /// Returns whether a start goes on with a change.
  ///
  /// @param accepted the id of a change, [ChangeConfig#AUTO], or empty for none
  public static boolean accepts(PlanDiff diff, String accepted) {
    return Admission.accepts(diff, accepted);
  }

  /// The writer is open, so what others had begun to write is decided, and can be read.
  private void readLast() {
    read();
    if (seen < end) {
      return;
    }
    check();
    if (isRecorded()) {
      state = State.RECORDED;
      return;
    }
    write(Objects.requireNonNull(writer));
    state = State.WRITING;
  }

  private void write(TransactionalWriter to) {
    PlanDescription now = Objects.requireNonNull(admission).plan();
    to.send(split, Recorded.record(split, now, clock.millis()));
    Deployment next = nextDeployment();
    if (!Objects.equals(next, recorded.deployment())) {
      to.send(split, Recorded.record(split, next, clock.millis()));
    }
    to.commit();
  }

  /// Returns the deployment that is open once the plan is recorded; null if none is.
  private @Nullable Deployment nextDeployment() {
    PlanDescription older = writesFor();
    Deployment open = recorded.deployment();
    if (older == null) {
      return null;
    }
    return open != null && open.from().equals(older.hash())
        ? open.closing(false)
        : new Deployment(older.hash(), Math.max(0, clock.millis()), false);
  }

  private void awaitOutcome() {
    TransactionalWriter written = Objects.requireNonNull(writer);
    switch (written.outcome()) {
      case PENDING -> {}
      case COMMITTED -> {
        recorded.recorded(Objects.requireNonNull(admission).plan(), nextDeployment());
        state = State.RECORDED;
      }
      case ABORTED, UNKNOWN -> {
        LOG.warn("The plan could not be written to {}: {}", split, written.failure());
        yieldToOthers();
      }
      case FENCED -> barred(written);
      case OPEN -> throw new AssertionError("A commit was requested and is discarded.");
    }
  }

  private void barred(TransactionalWriter writing) {
    writer = null;
    writing.close();
    yieldToOthers();
  }

  private void yieldToOthers() {
    sinceNanos = clock.nanos();
    state = State.YIELDING;
  }

  /// Proposes again in a moment, and takes what the other one wrote for an answer then.
  private void yielding() {
    if (clock.nanos() - sinceNanos >= YIELD.toNanos()) {
      open();
    }
  }

  /// Lets go of the log.
  @Override
  public void close() {
    closeReader();
    TransactionalWriter closing = writer;
    writer = null;
    if (closing != null) {
      closing.close();
    }
  }
}
