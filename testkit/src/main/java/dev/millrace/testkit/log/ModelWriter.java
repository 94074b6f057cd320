package dev.millrace.testkit.log;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The writer of one simulated process.
final class ModelWriter implements TransactionalWriter {
  /// What may be called next.
  private enum State {
    /// [#open] was not successful yet.
    NEW,
    READY,
    /// The end was asked for.
    ENDING,
    /// The end was asked for, or something could not be sent, and it is known how that went.
    ENDED,
    UNKNOWN,
    FENCED,
    CLOSED
  }

  private final Link link;
  private final int life;
  private final String name;
  private final Duration timeout;
  private final TreeMap<Split, Long> committedEnds = new TreeMap<>();
  private final Attempt.Listener listener = new Ends();

  private State state = State.NEW;
  private @Nullable WriterId id;
  private @Nullable Attempt attempt;
  private boolean asked;
  private boolean committed;
  private String failure = "";

  ModelWriter(Link link, String name, Duration timeout) {
    this.link = link;
    life = link.life();
    this.name = name;
    this.timeout = timeout;
  }

  @Override
  public void open() {
    link.requireAlive(life);
    if (state == State.FENCED) {
      throw new LogException(Kind.FENCED, failure);
    }
    if (state == State.CLOSED) {
      throw notNow("opened");
    }
    if (attempt != null) {
      attempt.abandon();
      state = State.UNKNOWN;
      asked = true;
    }
    WriterId known = id;
    WriterId granted =
        link.call(
            life,
            Link.Effect.CHANGES,
            "open writer",
            name,
            () -> link.broker().coordinator.init(name, known, timeout));
    if (granted == null) {
      failure = "Writer " + known + " was fenced: another one took over.";
      state = State.FENCED;
      throw new LogException(Kind.FENCED, failure);
    }
    id = granted;
    ready();
  }

  private void ready() {
    state = State.READY;
    asked = false;
    attempt = new Attempt(link, id(), listener);
  }

  @Override
  public WriterId id() {
    if (id == null) {
      throw notNow("asked for its id");
    }
    return id;
  }

  @Override
  public void send(Split to, RecordBatch batch) {
    link.requireAlive(life);
    requireUnasked("sent to");
    attempt().send(to, batch);
  }

  @Override
  public void sendOutside(Split to, RecordBatch batch) {
    link.requireAlive(life);
    requireUnasked("sent to");
    attempt().sendOutside(to, batch);
  }

  @Override
  public void sendPositions(String group, Map<Split, Position> positions) {
    link.requireAlive(life);
    requireUnasked("sent to");
    TreeMap<Split, Long> offsets = new TreeMap<>();
    positions.forEach((split, position) -> offsets.put(split, position.offset()));
    attempt().sendPositions(group, offsets);
  }

  @Override
  public void commit() {
    link.requireAlive(life);
    ask();
    attempt().commit();
  }

  @Override
  public void abort() {
    link.requireAlive(life);
    ask();
    attempt().abort();
  }

  private void ask() {
    requireUnasked("ended");
    asked = true;
    if (state == State.READY) {
      state = State.ENDING;
    }
  }

  @Override
  public Outcome outcome() {
    link.requireAlive(life);
    return switch (state) {
      case READY -> Outcome.OPEN;
      case ENDING -> Outcome.PENDING;
      case ENDED -> {
        ready();
        yield committed ? Outcome.COMMITTED : Outcome.ABORTED;
      }
      case UNKNOWN -> Outcome.UNKNOWN;
      case FENCED -> Outcome.FENCED;
      case NEW, CLOSED -> throw notNow("asked for an outcome");
    };
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public long committedEnd(Split split) {
    return committedEnds.getOrDefault(split, -1L);
  }

  @Override
  public void close() {
    state = State.CLOSED;
    if (attempt != null) {
      attempt.abandon();
    }
  }

  private Attempt attempt() {
    if (attempt == null) {
      throw notNow("used");
    }
    return attempt;
  }

  /// Something that could not be sent ends a transaction before anybody asked for it; until that
  /// was noticed, all goes on in vain.
  private void requireUnasked(String verb) {
    if (asked || attempt == null || state == State.CLOSED) {
      throw notNow(verb);
    }
  }

  private IllegalStateException notNow(String verb) {
    return new IllegalStateException(
        "Writer " + name + " cannot be " + verb + " while it is " + state + ".");
  }

  /// Hears how attempts went.
  private final class Ends implements Attempt.Listener {
    @Override
    public void committed(Attempt ended, WriterId next) {
      committedEnds.putAll(ended.ends());
      end(next, true, "");
    }

    @Override
    public void aborted(Attempt ended, WriterId next, String why) {
      end(next, false, why);
    }

    private void end(WriterId next, boolean wasCommitted, String why) {
      id = next;
      committed = wasCommitted;
      become(State.ENDED, why);
    }

    @Override
    public void unknown(Attempt ended, String why) {
      become(State.UNKNOWN, why);
    }

    @Override
    public void fenced(Attempt ended, String why) {
      become(State.FENCED, why);
    }

    private void become(State next, String why) {
      state = next;
      failure = why;
      link.broker().trace.add("writer " + next, name, committed ? 1 : 0, id().epoch());
    }
  }
}
