package dev.millrace.internal.engine.calls;

import dev.millrace.api.Call;
import dev.millrace.api.function.Joiner;
import dev.millrace.internal.engine.metrics.CallMetrics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The calls of one operator in a task: begins them as the gate lets them, repeats those that fail
/// and gives up those that take too long. Answers are taken over in [#poll]. Used by the task's
/// thread.
public final class Flights {
  private static final int MOST_DOUBLINGS = 16;

  /// A pause is no longer: the next repetition is compared with others by what lies between them.
  private static final long LONGEST_PAUSE = Long.MAX_VALUE / 2;

  private record Landed(
      Flight flight,
      int attempt,
      long nanos,
      @Nullable List<?> answers,
      @Nullable Exception failure) {}

  private final String operator;
  private final Call<Object, Object> call;
  private final Calls calls;
  private final Gate gate;
  private final Gate.Asker asker;
  private final Way way;
  private final Answers answers;
  private final CallMetrics metrics;

  /// What was not asked yet.
  private final ArrayDeque<Asked> waiting = new ArrayDeque<>();

  /// Those that are to be repeated, the next one first.
  private final PriorityQueue<Flight> repeated =
      new PriorityQueue<>((one, other) -> Long.signum(one.dueNanos() - other.dueNanos()));

  /// Those under way, in the order they were begun.
  private final ArrayDeque<Flight> underWay = new ArrayDeque<>();

  /// What has come, from whatever thread.
  private final Queue<Landed> landed = new ConcurrentLinkedQueue<>();

  private volatile boolean closed;

  Flights(String operator, Call<Object, Object> call, Calls calls, Gate gate, CallMetrics metrics) {
    this.operator = operator;
    this.call = call;
    this.calls = calls;
    this.gate = gate;
    asker = new Gate.Asker(calls.wakeup());
    way = new Way(call.way(), calls.executor());
    this.metrics = metrics;
    answers = new Answers(call.cache());
    metrics.pause(gate::isPaused);
  }

  /// How many things are asked at once in one call, at most.
  public int most() {
    return way.most();
  }

  /// Asks something, or finds the answer in the cache. Nothing begins before [#poll].
  public Asked ask(Object question) {
    Asked known = answers.find(question, calls.clock().nanos());
    if (known != null) {
      metrics.addCached();
      return known;
    }
    Asked asked = new Asked(question);
    answers.add(question, asked);
    waiting.add(asked);
    return asked;
  }

  /// Takes over what has come and begins what may begin.
  ///
  /// @return whether anything was done
  public boolean poll() {
    boolean any = false;
    for (Landed next = landed.poll(); next != null; next = landed.poll()) {
      any |= land(next);
    }
    long now = calls.clock().nanos();
    any |= giveUpOld(now);
    any |= begin(now);
    metrics.underWay(underWay.size());
    return any;
  }

  private boolean land(Landed come) {
    Flight flight = come.flight;
    if (!flight.isUnderWay(come.attempt)) {
      return false; // it was given up before
    }
    flight.ended();
    underWay.remove(flight);
    metrics.ended(come.nanos - flight.begunNanos());
    long now = calls.clock().nanos();
    List<?> found = come.answers;
    if (found != null && found.size() == flight.asked().size()) {
      gate.ended(asker, true, now);
      for (int i = 0; i < found.size(); i++) {
        flight.asked().get(i).answer(found.get(i), now);
      }
      return true;
    }
    Exception failure = come.failure;
    if (failure == null) {
      failure =
          new IllegalStateException(
              "It returned %s answers to %d questions"
                  .formatted(found == null ? "no" : found.size(), flight.asked().size()));
    }
    metrics.failed(gate.ended(asker, false, now));
    failed(flight, failure, now);
    return true;
  }

  private boolean giveUpOld(long now) {
    long most = call.limits().timeout().toNanos();
    boolean any = false;
    while (!underWay.isEmpty() && now - underWay.getFirst().begunNanos() >= most) {
      Flight flight = underWay.removeFirst();
      metrics.failed(gate.ended(asker, false, now));
      flight.giveUp();
      metrics.ended(now - flight.begunNanos());
      failed(
          flight,
          new TimeoutException("There was no answer within " + call.limits().timeout() + "."),
          now);
      any = true;
    }
    return any;
  }

  private void failed(Flight flight, Exception cause, long now) {
    int attempt = flight.attempt();
    if (attempt <= call.limits().retries()) {
      flight.againAt(now + pauseBehind(attempt));
      repeated.add(flight);
    } else if (flight.asked().size() > 1) {
      askAlone(flight, now);
    } else {
      failed(flight.asked().getFirst(), flight.attempts(), cause, now);
    }
  }

  private long pauseBehind(int attempt) {
    int doublings = Math.min(attempt - 1, MOST_DOUBLINGS);
    return Math.min(call.limits().firstPause().toNanos(), LONGEST_PAUSE >> doublings) << doublings;
  }

  /// All have failed together, perhaps because of one of them.
  private void askAlone(Flight together, long now) {
    for (Asked one : together.asked()) {
      Flight alone = together.alone(one);
      alone.againAt(now);
      repeated.add(alone);
    }
  }

  private void failed(Asked asked, int attempts, Exception cause, long now) {
    Joiner<? super Object, ? super Exception, ? extends Object> otherwise = call.otherwise();
    answers.remove(asked.question(), asked);
    if (otherwise == null) {
      asked.fail(
          new CallFailedException(
              "%s has failed %d times, the last time with: %s. The next start calls it again; to give an answer instead, add otherwise(...) to the call. It was called with: %s"
                  .formatted(operator, attempts, cause, asked.question()),
              cause),
          now);
    } else {
      answerOtherwise(asked, otherwise, cause, now);
    }
  }

  /// A task of the JDK takes what the user's code throws.
  private void answerOtherwise(
      Asked asked,
      Joiner<? super Object, ? super Exception, ? extends Object> otherwise,
      Exception cause,
      long now) {
    FutureTask<@Nullable Object> answer =
        new FutureTask<>(() -> otherwise.join(asked.question(), cause));
    answer.run();
    if (answer.state() == Future.State.SUCCESS) {
      asked.answer(answer.resultNow(), now);
      return;
    }
    Throwable thrown = answer.exceptionNow();
    asked.fail(
        new CallFailedException(
            "%s has failed with: %s, and otherwise(...) of the call has failed with: %s. It was called with: %s"
                .formatted(operator, cause, thrown, asked.question()),
            thrown),
        now);
  }

  private boolean begin(long now) {
    boolean any = false;
    while ((mayRepeat(now) || !waiting.isEmpty()) && gate.begin(asker, now)) {
      begin(mayRepeat(now) ? repeated.remove() : new Flight(take()), now);
      any = true;
    }
    return any;
  }

  private boolean mayRepeat(long now) {
    return !repeated.isEmpty() && repeated.element().dueNanos() - now <= 0;
  }

  private List<Asked> take() {
    List<Asked> together = new ArrayList<>();
    while (together.size() < way.most() && !waiting.isEmpty()) {
      together.add(waiting.remove());
    }
    return together;
  }

  private void begin(Flight flight, long now) {
    int attempt = flight.begin(now);
    metrics.begun(flight.attempts() > 1);
    underWay.add(flight);
    flight.running(
        way.begin(
            flight.asked().stream().map(Asked::question).toList(),
            (found, failure) -> {
              if (!closed) {
                landed.add(new Landed(flight, attempt, calls.clock().nanos(), found, failure));
                calls.wakeup().run();
              }
            }));
  }

  /// Gives up all calls.
  public void close() {
    closed = true;
    long now = calls.clock().nanos();
    underWay.forEach(_ -> gate.abandoned(asker, now));
    gate.leave(asker, now);
    underWay.forEach(Flight::giveUp);
    underWay.clear();
    metrics.underWay(0);
    waiting.clear();
    repeated.clear();
    landed.clear();
  }
}
