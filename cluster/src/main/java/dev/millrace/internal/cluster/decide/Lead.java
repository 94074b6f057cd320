package dev.millrace.internal.cluster.decide;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.cluster.decide.Orders.Own;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The right to decide, from one term to its end. Used by one thread.
///
/// [#begin] bars whoever decided before. Then everything is read that was decided, and a term with
/// the next number is written. From then on [#decide] writes decisions, each in one transaction. If
/// one of them is not known to be committed, the term has ended: the next one begins in the same
/// way.
public final class Lead implements AutoCloseable {
  /// How far a term has got.
  public enum State {
    /// This member does not decide.
    NONE,
    /// What the others decided is being read.
    READING,
    /// The term is being written.
    BEGINNING,
    /// This member decides.
    LEADING,
    /// The last record of the term is being written.
    RESIGNING
  }

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int BATCH_BYTES = 500_000;

  private final String id;
  private final Split split;
  private final Log log;
  private final Clock clock;
  private final Decisions decisions;

  private State state = State.NONE;
  private @Nullable TransactionalWriter writer;
  private Term term = Term.NONE;
  private long target = -1;
  private boolean writing;
  private RecordBatch batch = RecordBatch.create();

  /// @param decisions what this member reads; read by its owner
  public Lead(String application, Log log, Clock clock, Decisions decisions) {
    id = application + "@coordinator";
    split = Decisions.split(application);
    this.log = log;
    this.clock = clock;
    this.decisions = decisions;
  }

  public State state() {
    return state;
  }

  /// Begins a term, which bars the leader before. Waits for the log.
  ///
  /// @param home of this member
  /// @param life of this process
  /// @param kind of this process's bundles, which counts if there was no leader before
  /// @throws LogException if the log cannot be reached; the member does not decide then
  public void begin(String home, long life, String kind) {
    end();
    TransactionalWriter opened = log.writer(id, TIMEOUT);
    writer = opened;
    term = new Term(0, 0, 0, home, life, false, false, kind);
    try {
      opened.open();
    } catch (LogException e) {
      end();
      throw e;
    }
    target = -1;
    state = State.READING;
  }

  /// Goes on. Waits for nothing but the log.
  ///
  /// @throws LogException if the log cannot be reached now
  public void step() {
    if (writing) {
      awaitOutcome();
    }
    if (state == State.READING) {
      readAll();
    } else if (state != State.NONE && decisions.term().number() > term.number()) {
      end(); // another one was read that has begun since
    }
  }

  /// What a leader before had decided may become visible after it was barred. So the end is that of
  /// all records, decided or not: it can be read once nothing before it is undecided.
  private void readAll() {
    if (target < 0) {
      target = Objects.requireNonNull(log.offsets(List.of(split)).get(split)).end();
    }
    if (decisions.isCurrent() && decisions.readTo() >= target) {
      Term last = decisions.term();
      String kind = last.kind().isEmpty() ? term.kind() : last.kind();
      term =
          new Term(
              last.number() + 1, last.version(), 0, term.leader(), term.life(), false, false, kind);
      state = State.BEGINNING;
      write(term);
    }
  }

  private void awaitOutcome() {
    switch (Objects.requireNonNull(writer).outcome()) {
      case PENDING -> {}
      case COMMITTED -> {
        writing = false;
        if (state == State.BEGINNING) {
          state = State.LEADING;
        } else if (state == State.RESIGNING) {
          end();
        }
      }
      case ABORTED, UNKNOWN, FENCED -> end();
      case OPEN -> throw new AssertionError("A commit was requested and is discarded.");
    }
  }

  /// Returns the number of the term in which this member decides; 0 if it does not.
  public long leads() {
    return state == State.LEADING ? term.number() : 0;
  }

  /// Returns whether this member decides, and has read all that it decided itself.
  public boolean isReady() {
    return state == State.LEADING
        && !writing
        && decisions.term().number() == term.number()
        && decisions.term().version() == term.version();
  }

  /// Returns the version that the next decision has.
  public long nextVersion() {
    return Term.nextVersion(term.number(), term.version());
  }

  /// Returns of which kind the bundles are that are placed.
  public String kind() {
    return term.kind();
  }

  /// Has bundles of another kind placed, from the next record on.
  public void kind(String kind) {
    term = term.withKind(kind);
  }

  /// Writes a decision. Only members whose orders change get a record; nothing is written if none
  /// of them do.
  ///
  /// @param seats by the number of the bundle
  /// @throws IllegalStateException unless [#isReady]
  public void decide(SortedMap<Integer, Seat> seats) {
    requireReady();
    SortedMap<Integer, Seat> before = decisions.seats();
    if (seats.equals(before)) {
      return;
    }
    long version = nextVersion();
    changedOrders(before, seats, version).forEach(this::member);
    for (int bundle : before.keySet()) {
      if (!seats.containsKey(bundle)) {
        record(Codec.BUNDLE + bundle, null);
      }
    }
    seats.forEach((bundle, seat) -> {
      Seat old = before.get(bundle);
      if (old == null || !old.homes().equals(seat.homes())) {
        record(Codec.BUNDLE + bundle, out -> Codec.write(seat.homes(), out));
      }
    });
    write(term.next(version));
  }

  /// Tells which bundles are split.
  ///
  /// @throws IllegalStateException unless [#isReady]
  public void split(SplitDecision decision) {
    requireReady();
    decision
        .parts()
        .forEach((number, part) -> record(Codec.PART + number, out -> Codec.write(part, out)));
    decision
        .refused()
        .forEach((bundle, why) ->
            record(Codec.SPLIT + bundle, out -> Codec.write(new SplitRequest(why), out)));
    decision.granted().forEach(bundle -> record(Codec.SPLIT + bundle, null));
    write(term.next(nextVersion()));
  }

  /// Tells all members that nothing is left to be done.
  ///
  /// @throws IllegalStateException unless [#isReady]
  public void complete() {
    requireReady();
    if (!term.completed()) {
      write(term.withCompleted());
    }
  }

  /// Shows that this member lives and decides. Does nothing while something is being written.
  public void beat() {
    if (state == State.LEADING && !writing) {
      write(term.next(term.version()));
    }
  }

  /// Gives up the right to decide, so that the next leader need not wait.
  public void resign() {
    if (state == State.LEADING && !writing) {
      state = State.RESIGNING;
      write(term.withResigned());
    }
  }

  private void requireReady() {
    if (!isReady()) {
      throw new IllegalStateException("A decision was made in state " + state + ".");
    }
  }

  private static SortedMap<String, Orders> changedOrders(
      SortedMap<Integer, Seat> before, SortedMap<Integer, Seat> after, long version) {
    SortedSet<String> changed = new TreeSet<>();
    after.forEach((bundle, seat) -> {
      Seat old = before.getOrDefault(bundle, Seat.EMPTY);
      if (!seat.equals(old)) {
        addChanged(old, seat, changed);
      }
    });
    before.forEach((bundle, seat) -> {
      if (!after.containsKey(bundle)) {
        addChanged(seat, Seat.EMPTY, changed);
      }
    });
    changed.remove("");
    SortedMap<String, SortedMap<Integer, Own>> owned = new TreeMap<>();
    SortedMap<String, SortedSet<Integer>> followed = new TreeMap<>();
    after.forEach((bundle, seat) -> {
      if (changed.contains(seat.owner())) {
        owned.computeIfAbsent(seat.owner(), home -> new TreeMap<>()).put(bundle, own(seat));
      }
      for (String follower : seat.followers()) {
        if (changed.contains(follower)) {
          followed.computeIfAbsent(follower, home -> new TreeSet<>()).add(bundle);
        }
      }
    });
    SortedMap<String, Orders> orders = new TreeMap<>();
    for (String home : changed) {
      orders.put(
          home,
          new Orders(
              version,
              owned.getOrDefault(home, new TreeMap<>()),
              followed.getOrDefault(home, new TreeSet<>())));
    }
    return orders;
  }

  private static Own own(Seat seat) {
    return new Own(seat.version(), seat.force(), seat.heir(), seat.heirVersion());
  }

  private static void addChanged(Seat old, Seat seat, Set<String> changed) {
    if (!old.owner().equals(seat.owner()) || !own(old).equals(own(seat))) {
      changed.add(old.owner());
      changed.add(seat.owner());
    }
    addMissing(old.followers(), seat.followers(), changed);
    addMissing(seat.followers(), old.followers(), changed);
  }

  private static void addMissing(List<String> some, List<String> others, Set<String> to) {
    for (String each : some) {
      if (!others.contains(each)) {
        to.add(each);
      }
    }
  }

  private void member(String home, Orders orders) {
    record(Codec.MEMBER + home, orders.isEmpty() ? null : out -> Codec.write(orders, out));
  }

  /// Writes the last record of a decision, and commits it.
  private void write(Term next) {
    term = next;
    record(Codec.TERM, out -> Codec.write(next, out));
    flush();
    Objects.requireNonNull(writer).commit();
    writing = true;
  }

  private void record(String key, @Nullable Consumer<BytesWriter> value) {
    if (batch.size() == 0) {
      batch.reset(split, new byte[0], 0);
    }
    batch.append(batch.size(), Math.max(0, clock.millis()));
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    batch.key(bytes, 0, bytes.length);
    if (value != null) {
      int start = batch.data().length();
      value.accept(batch.data());
      batch.endValue(start);
    }
    if (batch.dataLength() >= BATCH_BYTES) {
      flush();
    }
  }

  private void flush() {
    Objects.requireNonNull(writer).send(split, batch);
    batch = RecordBatch.create();
  }

  private void end() {
    state = State.NONE;
    writing = false;
    TransactionalWriter closing = writer;
    writer = null;
    if (closing != null) {
      closing.close();
    }
  }

  /// Lets go of the log, and of the right to decide; others notice by the missing beats.
  @Override
  public void close() {
    end();
  }
}
