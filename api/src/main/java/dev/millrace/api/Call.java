package dev.millrace.api;

import dev.millrace.api.function.Caller;
import dev.millrace.api.function.Joiner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Describes how another system is asked something for each record, and what holds for all these
/// calls.
///
/// ```java
/// orders.call(
///     "rated",
///     Call.<Order, Rating>blocking(order -> ratings.of(order))
///         .timeout(ofSeconds(2))
///         .retries(5, ofMillis(200))
///         .perSecond(500)
///         .cache(10_000, ofMinutes(10))
///         .otherwise((order, failure) -> Rating.NONE))
/// ```
///
/// What is asked waits in the state of the task: after a crash the call is made again, so the other
/// system may be asked twice, while the answer is emitted once. Clients are opened by the
/// application before it is described, shared by all calls, and closed by it when the job is.
///
/// Each method returns another call; nothing is changed. Times of more than a hundred years count
/// as a hundred years, so `ChronoUnit.FOREVER.getDuration()` is a time, too.
///
/// @param <V> what is asked
/// @param <R> the answer
public final class Call<V, R> {
  private static final int IN_FLIGHT = 64;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  /// It can still be counted in nanoseconds.
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /// The application's code that asks.
  public sealed interface Way<V, R> {}

  /// Code that blocks until the answer is there.
  public record Blocking<V, R>(Caller<V, ? extends @Nullable R> caller) implements Way<V, R> {}

  /// Code that returns at once.
  public record Future<V, R>(Caller<V, ? extends CompletionStage<? extends @Nullable R>> caller)
      implements Way<V, R> {}

  /// Code that asks several things at once, and blocks.
  public record Batched<V, R>(
      int most, Caller<List<V>, ? extends List<? extends @Nullable R>> caller)
      implements Way<V, R> {}

  /// The order in which results are emitted.
  public enum Order {
    /// In the order of the records of a key; where there are no keys, of all records.
    KEPT,
    /// As answers arrive.
    NONE,
    /// As [#KEPT]; and nothing is asked for a key before its last answer has arrived.
    ONE_BY_ONE
  }

  /// @param inFlight how many calls may be under way at once in a process
  /// @param timeout how long one may take
  /// @param retries how often one that has failed is repeated
  /// @param firstPause before the first repetition; it doubles with each
  /// @param perSecond how many may begin in a second in a process; 0 for any number
  /// @param breakAfter how many must fail one after the other for all to pause; 0 for never
  /// @param breakFor how long they pause then
  public record Limits(
      int inFlight,
      Duration timeout,
      int retries,
      Duration firstPause,
      double perSecond,
      int breakAfter,
      Duration breakFor) {}

  /// @param entries how many answers are kept, of each task; 0 for none
  /// @param timeToLive for how long each is
  public record Cache(int entries, Duration timeToLive) {}

  private final Way<V, R> way;
  private final Order order;
  private final Limits limits;
  private final Cache cache;
  private final @Nullable Joiner<? super V, ? super Exception, ? extends R> otherwise;

  private Call(
      Way<V, R> way,
      Order order,
      Limits limits,
      Cache cache,
      @Nullable Joiner<? super V, ? super Exception, ? extends R> otherwise) {
    this.way = way;
    this.order = order;
    this.limits = limits;
    this.cache = cache;
    this.otherwise = otherwise;
  }

  private static <V, R> Call<V, R> of(Way<V, R> way) {
    return new Call<>(
        way,
        Order.KEPT,
        new Limits(IN_FLIGHT, TIMEOUT, 3, FIRST_PAUSE, 0, 0, Duration.ZERO),
        new Cache(0, Duration.ZERO),
        null);
  }

  /// Returns a call of code that blocks until it has the answer; each call has a virtual thread,
  /// which is interrupted when it takes too long.
  ///
  /// ```java
  /// orders.call("rated", Call.blocking(order -> ratings.of(order)))
  /// ```
  public static <V, R> Call<V, R> blocking(Caller<V, ? extends @Nullable R> caller) {
    return of(new Blocking<>(caller));
  }

  /// Returns a call of code that returns at once and completes later. It runs on the task's own
  /// thread.
  ///
  /// ```java
  /// orders.call("rated", Call.future(order -> ratings.ask(order)))
  /// ```
  public static <V, R> Call<V, R> future(
      Caller<V, ? extends CompletionStage<? extends @Nullable R>> caller) {
    return of(new Future<>(caller));
  }

  /// Returns a call of code that asks for several things at once, in a virtual thread: as many as
  /// wait, up to `most`; it returns as many answers, in their order.
  ///
  /// When a batch and its repetitions have failed, each of its things is asked alone, as a batch of
  /// one with as many repetitions again: so only those fail that fail alone.
  ///
  /// ```java
  /// orders.call("rated", Call.batched(50, all -> ratings.ofAll(all)))
  /// ```
  public static <V, R> Call<V, R> batched(
      int most, Caller<List<V>, ? extends List<? extends @Nullable R>> caller) {
    require(most > 0, "A batch has at least one thing to ask; found %s.", most);
    return of(new Batched<>(most, caller));
  }

  /// Emits results as answers arrive, whatever the order of the records.
  public Call<V, R> unordered() {
    return new Call<>(way, Order.NONE, limits, cache, otherwise);
  }

  /// Asks nothing for a key before its last answer has arrived: for calls that change something.
  public Call<V, R> oneByOne() {
    return new Call<>(way, Order.ONE_BY_ONE, limits, cache, otherwise);
  }

  /// Sets how many calls may be under way at once in a process, each batch being one; 64 unless it
  /// is set. Tasks that have more to ask take turns.
  ///
  /// A task takes no more records while twice as many wait as so many calls can ask for: 128, or
  /// with batches of 50 at most 6,400. All that wait are written with a commit.
  public Call<V, R> inFlight(int calls) {
    require(calls > 0, "At least one call is under way at once; found %s.", calls);
    return with(
        new Limits(
            calls,
            limits.timeout,
            limits.retries,
            limits.firstPause,
            limits.perSecond,
            limits.breakAfter,
            limits.breakFor));
  }

  /// Sets how long a call may take before it has failed; 30 seconds unless it is set.
  public Call<V, R> timeout(Duration most) {
    Duration counted = counted("time-out", most);
    return with(
        new Limits(
            limits.inFlight,
            counted,
            limits.retries,
            limits.firstPause,
            limits.perSecond,
            limits.breakAfter,
            limits.breakFor));
  }

  /// Sets how often a call that has failed is repeated, and how long after the first failure; the
  /// pause doubles with each failure, 16 times at most. Three times and 100 ms unless it is set.
  public Call<V, R> retries(int times, Duration firstPause) {
    require(times >= 0, "A call is repeated at least 0 times; found %s.", times);
    Duration counted = counted("pause", firstPause);
    return with(
        new Limits(
            limits.inFlight,
            limits.timeout,
            times,
            counted,
            limits.perSecond,
            limits.breakAfter,
            limits.breakFor));
  }

  /// Sets how many calls may begin in a second in a process, evenly spread; any number unless it is
  /// set.
  public Call<V, R> perSecond(double calls) {
    require(calls > 0, "At least some call begins in a second; found %s.", calls);
    return with(
        new Limits(
            limits.inFlight,
            limits.timeout,
            limits.retries,
            limits.firstPause,
            calls,
            limits.breakAfter,
            limits.breakFor));
  }

  /// Lets no call of the process begin for a pause after a number of failures in a row; then one
  /// begins, and the others when it succeeds. Records wait meanwhile. Never unless it is set.
  ///
  /// ```java
  /// orders.call("rated", Call.<Order, Rating>blocking(ratings::of).breaker(10, ofSeconds(30)))
  /// ```
  public Call<V, R> breaker(int failures, Duration pause) {
    require(failures > 0, "A breaker opens after at least one failure; found %s.", failures);
    Duration counted = counted("pause", pause);
    return with(
        new Limits(
            limits.inFlight,
            limits.timeout,
            limits.retries,
            limits.firstPause,
            limits.perSecond,
            failures,
            counted));
  }

  /// Keeps the answers in memory that were used last: an equal question gets the same answer, also
  /// while that is under way. What is asked has `equals` and `hashCode`.
  ///
  /// @param entries of each task
  public Call<V, R> cache(int entries, Duration timeToLive) {
    require(entries > 0, "A cache has at least one entry; found %s.", entries);
    Cache kept = new Cache(entries, counted("time to live", timeToLive));
    return new Call<>(way, order, limits, kept, otherwise);
  }

  /// Sets the answer where a call and its repetitions have failed, from what was asked and the last
  /// failure. Unless it is set the job stops.
  public Call<V, R> otherwise(Joiner<? super V, ? super Exception, ? extends R> answer) {
    return new Call<>(way, order, limits, cache, answer);
  }

  private Call<V, R> with(Limits newLimits) {
    return new Call<>(way, order, newLimits, cache, otherwise);
  }

  private static void require(boolean holds, String message, Object found) {
    if (!holds) {
      throw new InvalidTopologyException(message.formatted(found));
    }
  }

  private static Duration counted(String what, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new InvalidTopologyException(
          "A call's %s is positive; found %s.".formatted(what, duration));
    }
    return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
  }

  /// Returns the application's code that asks.
  public Way<V, R> way() {
    return way;
  }

  /// Returns the order in which results are emitted.
  public Order order() {
    return order;
  }

  /// Returns the limits of all calls.
  public Limits limits() {
    return limits;
  }

  /// Returns how many answers are kept, and for how long.
  public Cache cache() {
    return cache;
  }

  /// Returns what gives the answer where a call has failed; null if nothing does.
  public @Nullable Joiner<? super V, ? super Exception, ? extends R> otherwise() {
    return otherwise;
  }
}
