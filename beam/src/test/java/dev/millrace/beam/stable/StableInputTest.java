package dev.millrace.beam.stable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.testing.TestPipelineOptions;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

/// A function that asks for stable input sees the same in all attempts, although what is before it
/// gives something else in each: a pipeline dies again and again.
class StableInputTest {
  private static final long ELEMENTS = 40;
  private static final long MORE_ELEMENTS = 1_500;
  private static final long KEYS = 3;
  private static final long SEEDS = 3;

  /// On a busy machine it may take more of them until something is told again.
  private static final long MOST_SEEDS = 50;

  private static final String NOTHING = "Nothing was told again, so nothing is shown.";

  /// What functions are told, by what it is of: all attempts together.
  private static final Map<String, Set<String>> SEEN = new ConcurrentHashMap<>();

  private static final AtomicLong CALLS = new AtomicLong();
  private static final AtomicLong DRAWN = new AtomicLong();

  private static void see(String what, String content) {
    SEEN.computeIfAbsent(what, _ -> new ConcurrentSkipListSet<>()).add(content);
    CALLS.incrementAndGet();
  }

  /// Makes something else of an element in each attempt.
  private static final class Draw extends DoFn<Long, KV<Long, String>> {
    @ProcessElement
    public void process(@Element Long number, OutputReceiver<KV<Long, String>> out) {
      out.output(KV.of(number % KEYS, number + "=" + DRAWN.incrementAndGet()));
    }
  }

  private static String before(String text) {
    return text.substring(0, text.indexOf('='));
  }

  private static final class Tell extends DoFn<KV<Long, String>, Void> {
    @RequiresStableInput
    @ProcessElement
    public void process(@Element KV<Long, String> pair) {
      see(before(pair.getValue()), pair.getValue());
    }
  }

  private static final class TellWithView extends DoFn<KV<Long, String>, Void> {
    private final PCollectionView<String> view;

    TellWithView(PCollectionView<String> view) {
      this.view = view;
    }

    @RequiresStableInput
    @ProcessElement
    public void process(ProcessContext context) {
      see(
          before(context.element().getValue()),
          context.element().getValue() + context.sideInput(view));
    }
  }

  /// Tells at once what it has collected by each timer.
  private static final class TellByTimer extends DoFn<KV<Long, String>, Void> {
    private final Duration byClockAfter;

    @StateId("byEvent")
    private final StateSpec<BagState<String>> ofEvent = StateSpecs.bag(StringUtf8Coder.of());

    @StateId("byClock")
    private final StateSpec<BagState<String>> ofClock = StateSpecs.bag(StringUtf8Coder.of());

    @TimerId("event")
    private final TimerSpec event = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    @TimerId("clock")
    private final TimerSpec clock = TimerSpecs.timer(TimeDomain.PROCESSING_TIME);

    TellByTimer(Duration byClockAfter) {
      this.byClockAfter = byClockAfter;
    }

    @ProcessElement
    public void process(
        @Element KV<Long, String> pair,
        @Timestamp Instant time,
        @StateId("byEvent") BagState<String> forEvent,
        @StateId("byClock") BagState<String> forClock,
        @TimerId("event") Timer byEvent,
        @TimerId("clock") Timer byClock) {
      if (forClock.isEmpty().read()) {
        byClock.offset(byClockAfter).setRelative();
      }
      forEvent.add(pair.getValue());
      forClock.add(pair.getValue());
      byEvent.set(Instant.ofEpochMilli((time.getMillis() / 10 + 1) * 10));
    }

    @RequiresStableInput
    @OnTimer("event")
    @SuppressWarnings("UnusedMethod") // Beam calls it
    public void onEvent(@StateId("byEvent") BagState<String> collected) {
      tell("event", collected);
    }

    @RequiresStableInput
    @OnTimer("clock")
    @SuppressWarnings("UnusedMethod") // Beam calls it
    public void onClock(@StateId("byClock") BagState<String> collected) {
      tell("clock", collected);
    }

    private static void tell(String which, BagState<String> collected) {
      List<String> all = new ArrayList<>();
      collected.read().forEach(all::add);
      if (!all.isEmpty()) {
        see(which + " from " + before(all.getFirst()), String.join(",", all));
      }
      collected.clear();
    }
  }

  private static Pipeline pipeline(long seed) {
    SEEN.clear();
    CALLS.set(0);
    PipelineOptions options =
        PipelineOptionsFactory.fromArgs("--runner=TestMillraceRunner", "--crashSeed=" + seed)
            .create();
    options.as(TestPipelineOptions.class).setTestTimeoutSeconds(200L);
    return Pipeline.create(options);
  }

  /// The numbers from 0, each at its own millisecond, while event time and the clock go on.
  private static PCollection<KV<Long, String>> numbers(Pipeline pipeline) {
    TestStream.Builder<Long> numbers = TestStream.create(VarLongCoder.of());
    for (long number = 0; number < ELEMENTS; number++) {
      numbers = numbers.addElements(TimestampedValue.of(number, Instant.ofEpochMilli(number)));
      if (number % 4 == 3) {
        numbers = numbers.advanceWatermarkTo(Instant.ofEpochMilli(number));
      }
      if (number % 7 == 6) {
        numbers = numbers.advanceProcessingTime(Duration.standardSeconds(3));
      }
    }
    return pipeline
        .apply(numbers.advanceWatermarkToInfinity())
        .apply(ParDo.of(new Draw()))
        .setCoder(KvCoder.of(VarLongCoder.of(), StringUtf8Coder.of()));
  }

  /// @return how often something was told again
  private static long requireSame() {
    SortedMap<String, Set<String>> changed = new TreeMap<>(SEEN);
    changed.values().removeIf(contents -> contents.size() == 1);
    assertEquals(Map.of(), changed, "It was told one thing in one attempt, another in the next.");
    return CALLS.get() - SEEN.size();
  }

  private static void requireAll(LongFunction<String> name) {
    Set<String> expected = new TreeSet<>();
    for (long number = 0; number < ELEMENTS; number++) {
      expected.add(name.apply(number));
    }
    assertEquals(expected, new TreeSet<>(SEEN.keySet()));
  }

  private static boolean goesOn(long seed, long again) {
    return seed <= (again > 0 ? SEEDS : MOST_SEEDS);
  }

  @Test
  void elementsAreTheSame() {
    long again = 0;
    for (long seed = 1; goesOn(seed, again); seed++) {
      Pipeline pipeline = pipeline(seed);
      numbers(pipeline).apply(ParDo.of(new Tell()));

      pipeline.run().waitUntilFinish();

      again += requireSame();
      requireAll(Long::toString);
    }
    assertTrue(again > 0, NOTHING);
  }

  @Test
  void elementsAreTheSameWhereAViewIsRead() {
    long again = 0;
    for (long seed = 1; goesOn(seed, again); seed++) {
      Pipeline pipeline = pipeline(seed);
      PCollectionView<String> view = pipeline.apply(Create.of("!")).apply(View.asSingleton());
      numbers(pipeline).apply(ParDo.of(new TellWithView(view)).withSideInputs(view));

      pipeline.run().waitUntilFinish();

      again += requireSame();
      requireAll(Long::toString);
    }
    assertTrue(again > 0, NOTHING);
  }

  @Test
  void stateIsTheSameWhenATimerFires() {
    long again = 0;
    for (long seed = 1; goesOn(seed, again); seed++) {
      Pipeline pipeline = pipeline(seed);
      numbers(pipeline).apply(ParDo.of(new TellByTimer(Duration.standardSeconds(2))));

      pipeline.run().waitUntilFinish();

      again += requireSame();
      assertEquals(ELEMENTS, told("event").size(), SEEN::toString);
      // what is left when event time ends is expired before the clock comes to its timer
      assertTrue(told("clock").size() > ELEMENTS / 2, SEEN::toString);
    }
    assertTrue(again > 0, NOTHING);
  }

  /// Here it is up to the machine which elements come before a watermark, or a time of the clock.
  @Test
  void stateIsTheSameWhereNothingWaitsForIt() {
    long again = 0;
    for (long seed = 1; goesOn(seed, again); seed++) {
      Pipeline pipeline = pipeline(seed);
      pipeline
          .apply(
              GenerateSequence.from(0)
                  .to(MORE_ELEMENTS)
                  .withTimestampFn(Instant::ofEpochMilli)
                  .withRate(1, Duration.millis(1)))
          .apply(ParDo.of(new Draw()))
          .setCoder(KvCoder.of(VarLongCoder.of(), StringUtf8Coder.of()))
          .apply(ParDo.of(new TellByTimer(Duration.millis(20))));

      pipeline.run().waitUntilFinish();

      again += requireSame();
      assertEquals(MORE_ELEMENTS, told("event").size(), SEEN::toString);
    }
    assertTrue(again > 0, NOTHING);
  }

  /// Returns the numbers that were told by timers of one kind.
  private static Set<String> told(String which) {
    Set<String> told = new TreeSet<>();
    SEEN.forEach((what, contents) -> {
      if (what.startsWith(which)) {
        for (String each : contents.iterator().next().split(",")) {
          told.add(before(each));
        }
      }
    });
    return told;
  }
}
