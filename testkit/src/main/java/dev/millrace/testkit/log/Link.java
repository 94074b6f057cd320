package dev.millrace.testkit.log;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What lies between one process and the broker: requests go one way, answers the other.
///
/// A process that crashes begins a new life on the same link. What it had sent is still on its way
/// and arrives, or does not; answers to a former life are dropped.
final class Link {
  /// Which way a message goes.
  private enum Way {
    REQUEST,
    ANSWER
  }

  /// What a call does to the log.
  enum Effect {
    READS,
    CHANGES
  }

  private final String process;
  private final Broker broker;
  private final Supplier<Faults> faults;
  private final Seed seed;

  private final TreeMap<Long, Message> flying = new TreeMap<>();
  private long sent;
  private int life;
  private boolean requestsCut;
  private boolean answersCut;

  Link(String process, Broker broker, Supplier<Faults> faults) {
    this.process = process;
    this.broker = broker;
    this.faults = faults;
    seed = broker.seed.fork("link of " + process);
  }

  String process() {
    return process;
  }

  Broker broker() {
    return broker;
  }

  Faults faults() {
    return faults.get();
  }

  Seed seed() {
    return seed;
  }

  int life() {
    return life;
  }

  boolean isCut() {
    return requestsCut || answersCut;
  }

  /// The number of messages on their way.
  int flying() {
    return flying.size();
  }

  void requireAlive(int asked) {
    if (asked != life) {
      throw new IllegalStateException(
          "Process " + process + " crashed; what it had opened is used no more.");
    }
  }

  /// Brings something to the broker, now or later.
  void request(int from, Runnable arrival) {
    send(Way.REQUEST, from, arrival);
  }

  /// Brings something to the process, now or later; never to a later life of it.
  void answer(int to, Runnable arrival) {
    send(Way.ANSWER, to, arrival);
  }

  /// Runs something in the process after a time, unless it crashes before.
  Scheduler.Event timer(int in, Duration delay, Runnable action) {
    return broker.scheduler.after(
        delay,
        () -> {
          if (in == life) {
            action.run();
          }
        });
  }

  private void send(Way way, int owner, Runnable arrival) {
    Message message = new Message(sent++, way, owner, arrival);
    Duration delay = faults().network().draw(seed);
    if (delay.isZero() && !message.isHeld()) {
      message.arrive();
      return;
    }
    flying.put(message.number, message);
    message.fly(delay);
  }

  /// Asks the broker something and waits for the answer.
  ///
  /// @param verb what is asked of the subject, for messages
  /// @throws LogException of kind `UNAVAILABLE` if it is not there; what changes the log may then
  ///   have been carried out, or still be on its way
  <T extends @Nullable Object> T call(
      int from, Effect effect, String verb, Object subject, Supplier<T> action) {
    requireAlive(from);
    if (requestsCut) {
      if (effect == Effect.CHANGES && seed.coin()) {
        Message late = new Message(sent++, Way.REQUEST, from, () -> tryLate(verb, subject, action));
        flying.put(late.number, late);
        late.fly(Duration.ZERO);
      }
      throw unavailable(verb, subject);
    }
    if (seed.chance(faults().unavailable())) {
      if (effect == Effect.CHANGES && seed.coin()) {
        T unheard = action.get();
        broker.trace.add("unheard: " + verb, subject.toString(), unheard == null ? 0 : 1, 0);
      }
      throw unavailable(verb, subject);
    }
    T result = action.get();
    if (answersCut) {
      throw unavailable(verb, subject);
    }
    return result;
  }

  private void tryLate(String verb, Object subject, Supplier<? extends @Nullable Object> action) {
    try {
      Object unheard = action.get();
      broker.trace.add("late: " + verb, subject.toString(), unheard == null ? 0 : 1, 0);
    } catch (LogException failure) {
      // Nobody is there any more to be told.
      broker.trace.add("late and failed: " + verb, subject.toString());
    }
  }

  private LogException unavailable(String verb, Object subject) {
    broker.trace.add("unavailable: " + verb, subject.toString());
    return new LogException(
        Kind.UNAVAILABLE,
        "The log did not answer " + process + " in time: " + verb + " " + subject + ".");
  }

  /// Holds back messages from now on until [#heal].
  void cut(boolean requests, boolean answers) {
    requestsCut |= requests;
    answersCut |= answers;
    broker.trace.add("cut", process, requests ? 1 : 0, answers ? 1 : 0);
  }

  void heal() {
    requestsCut = false;
    answersCut = false;
    broker.trace.add("heal", process);
    for (Message message : List.copyOf(flying.values())) {
      if (message.waiting) {
        message.fly(faults().network().draw(seed));
      }
    }
  }

  /// Ends this life of the process. Each request on its way arrives or is lost.
  void crash() {
    life++;
    broker.trace.add("crash", process, life, flying.size());
    for (Message message : List.copyOf(flying.values())) {
      if (message.way == Way.ANSWER || seed.coin()) {
        message.lose();
      }
    }
  }

  /// Something on its way.
  private final class Message {
    final long number;
    final Way way;
    final int owner;
    final Runnable arrival;
    boolean waiting;
    Scheduler.@Nullable Event event;

    Message(long number, Way way, int owner, Runnable arrival) {
      this.number = number;
      this.way = way;
      this.owner = owner;
      this.arrival = arrival;
    }

    boolean isHeld() {
      return way == Way.REQUEST ? requestsCut : answersCut;
    }

    void fly(Duration delay) {
      waiting = false;
      event = broker.scheduler.after(delay, this::land);
    }

    private void land() {
      if (isHeld()) {
        waiting = true;
      } else {
        flying.remove(number);
        arrive();
      }
    }

    private void arrive() {
      if (way == Way.REQUEST || owner == life) {
        arrival.run();
      }
    }

    void lose() {
      flying.remove(number);
      if (event != null) {
        event.cancel();
      }
    }
  }
}
