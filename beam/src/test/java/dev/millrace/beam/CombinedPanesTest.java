package dev.millrace.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterProcessingTime;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Repeatedly;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.transforms.windowing.Window.OnTimeBehavior;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Combinations of which panes come before the window has ended, or after it, against plain
/// arithmetic. Values that come at once are combined before they are sent, unless a trigger counts
/// them.
class CombinedPanesTest {
  /// Between whole seconds, so that no pane is due at the moment at which a value comes.
  private static final Duration DELAY = Duration.millis(4_500);

  private static final long SIZE = 20_000;
  private static final long LATENESS = 20_000;

  private static final Map<String, Integer> NOTED = new ConcurrentHashMap<>();
  private static final AtomicInteger ADDED = new AtomicInteger();
  private static final AtomicInteger MERGED = new AtomicInteger();

  private final SortedMap<String, Integer> expected = new TreeMap<>();

  @BeforeEach
  void nothingIsNoted() {
    NOTED.clear();
    ADDED.set(0);
    MERGED.set(0);
  }

  /// Adds numbers up, and counts how it is called.
  private static final class Sum extends Combine.CombineFn<Long, long[], Long> {
    @Override
    public long[] createAccumulator() {
      return new long[1];
    }

    @Override
    public long[] addInput(long[] accumulator, Long input) {
      ADDED.incrementAndGet();
      accumulator[0] += input;
      return accumulator;
    }

    @Override
    public long[] mergeAccumulators(Iterable<long[]> accumulators) {
      MERGED.incrementAndGet();
      long[] all = new long[1];
      accumulators.forEach(each -> all[0] += each[0]);
      return all;
    }

    @Override
    public Long extractOutput(long[] accumulator) {
      return accumulator[0];
    }
  }

  private static final class Note extends DoFn<KV<String, Long>, Void> {
    @ProcessElement
    public void process(ProcessContext context) {
      NOTED.merge(
          line(
              context.element().getKey(),
              context.timestamp().getMillis(),
              context.element().getValue(),
              context.pane().getTiming().toString()),
          1,
          Integer::sum);
    }
  }

  private static String line(String key, long time, long sum, String timing) {
    return "%s at %d: %d %s".formatted(key, time, sum, timing);
  }

  private void expect(String key, long time, long sum, String timing) {
    expected.merge(line(key, time, sum, timing), 1, Integer::sum);
  }

  /// What a stream has, and what time it is there.
  private static final class Script {
    private TestStream.Builder<KV<String, Long>> stream =
        TestStream.create(KvCoder.of(StringUtf8Coder.of(), VarLongCoder.of()));

    private int count;

    /// Has values come at once.
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a type with parameters
    void add(List<TimestampedValue<KV<String, Long>>> values) {
      count += values.size();
      stream =
          stream.addElements(
              values.getFirst(), values.subList(1, values.size()).toArray(new TimestampedValue[0]));
    }

    void pass(long seconds) {
      stream = stream.advanceProcessingTime(Duration.standardSeconds(seconds));
    }

    void watermark(long millis) {
      stream = stream.advanceWatermarkTo(Instant.ofEpochMilli(millis));
    }
  }

  private static TimestampedValue<KV<String, Long>> value(String key, long value, long time) {
    return TimestampedValue.of(KV.of(key, value), Instant.ofEpochMilli(time));
  }

  private void run(Script script, Window<KV<String, Long>> window, boolean accumulates) {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs("--runner=TestMillraceRunner", "--parallelism=3")
                .create());
    Window<KV<String, Long>> told = window.withOnTimeBehavior(OnTimeBehavior.FIRE_IF_NON_EMPTY);
    pipeline
        .apply(script.stream.advanceWatermarkToInfinity())
        .apply(accumulates ? told.accumulatingFiredPanes() : told.discardingFiredPanes())
        .apply(Combine.perKey(new Sum()))
        .apply(ParDo.of(new Note()));
    pipeline.run();
    assertEquals(expected, new TreeMap<>(NOTED));
  }

  /// What is known of a key in a window.
  private static final class Pane {
    private boolean isOpen;
    private long begin;
    private long sum;

    void add(long value, long now) {
      begin = isOpen ? begin : now;
      isOpen = true;
      sum += value;
    }
  }

  private void close(String key, long end, Pane pane, String timing, boolean accumulates) {
    expect(key, end, pane.sum, timing);
    pane.isOpen = false;
    pane.sum = accumulates ? pane.sum : 0;
  }

  /// Values come at once, again and again, and panes some time after their first value.
  @ParameterizedTest
  @CsvSource({"1,false", "2,false", "3,true", "4,true"})
  void panesByTheClock(long seed, boolean accumulates) {
    Random random = new Random(seed);
    Script script = new Script();
    Map<String, Pane> panes = new TreeMap<>();
    long end = GlobalWindow.INSTANCE.maxTimestamp().getMillis();
    long now = 0;
    for (int round = 0; round < 60; round++) {
      List<TimestampedValue<KV<String, Long>>> batch = new ArrayList<>();
      for (int i = 1 + random.nextInt(20); i > 0; i--) {
        String key = "k" + random.nextInt(4);
        long value = random.nextInt(1_000);
        batch.add(value(key, value, random.nextInt(1_000)));
        panes.computeIfAbsent(key, _ -> new Pane()).add(value, now);
      }
      script.add(batch);
      long seconds = random.nextLong(1, 4);
      script.pass(seconds);
      now += seconds * 1_000;
      for (Map.Entry<String, Pane> each : panes.entrySet()) {
        if (each.getValue().isOpen && now > each.getValue().begin + DELAY.getMillis()) {
          close(each.getKey(), end, each.getValue(), "EARLY", accumulates);
        }
      }
    }
    panes.forEach((key, pane) -> {
      if (pane.isOpen) {
        close(key, end, pane, "ON_TIME", accumulates);
      }
    });
    int told = expected.values().stream().mapToInt(Integer::intValue).sum();

    run(
        script,
        Window.<KV<String, Long>>into(new GlobalWindows())
            .triggering(
                Repeatedly.forever(AfterProcessingTime.pastFirstElementInPane().plusDelayOf(DELAY)))
            .withAllowedLateness(Duration.ZERO),
        accumulates);

    assertEquals(script.count, ADDED.get());
    // A pane merges once, as it is made of a copy.
    assertTrue(MERGED.get() > told, "Values were combined only after they were sent.");
  }

  /// Some values come before their window has ended, some after it, and some too late.
  @ParameterizedTest
  @CsvSource({"5,false", "6,false", "7,true", "8,true"})
  void lateValuesCorrect(long seed, boolean accumulates) {
    Random random = new Random(seed);
    Script script = new Script();
    Map<String, Pane> panes = new TreeMap<>();
    long watermark = 0;
    for (int round = 0; round < 60; round++) {
      List<TimestampedValue<KV<String, Long>>> batch = new ArrayList<>();
      for (int k = random.nextInt(4); k < 4; k++) {
        long time = Math.max(0, watermark + random.nextLong(60_000) - 45_000);
        long end = (time / SIZE + 1) * SIZE - 1;
        int most = end < watermark ? 1 : 5; // more of a late pane could be told one by one
        for (int i = 1 + random.nextInt(most); i > 0; i--) {
          long value = random.nextInt(1_000);
          batch.add(value("k" + k, value, time));
          if (watermark <= end + LATENESS) {
            Pane pane = panes.computeIfAbsent("k" + k + " " + end, _ -> new Pane());
            pane.add(value, 0);
            if (end < watermark) {
              close("k" + k, end, pane, "LATE", accumulates);
            }
          }
        }
      }
      script.add(batch);
      watermark += random.nextInt(10_000);
      script.watermark(watermark);
      closeOnTime(panes, watermark, accumulates);
    }
    closeOnTime(panes, Long.MAX_VALUE, accumulates);

    run(
        script,
        Window.<KV<String, Long>>into(FixedWindows.of(Duration.millis(SIZE)))
            .withAllowedLateness(Duration.millis(LATENESS)),
        accumulates);
  }

  private void closeOnTime(Map<String, Pane> panes, long watermark, boolean accumulates) {
    panes.forEach((name, pane) -> {
      long end = Long.parseLong(name.substring(name.indexOf(' ') + 1));
      if (pane.isOpen && end < watermark) {
        close(name.substring(0, name.indexOf(' ')), end, pane, "ON_TIME", accumulates);
      }
    });
  }

  /// Values that come at once count one by one.
  @Test
  void countedValuesAreSentOneByOne() {
    Script script = new Script();
    long end = GlobalWindow.INSTANCE.maxTimestamp().getMillis();
    script.add(List.of(value("a", 1, 0), value("a", 2, 0), value("b", 4, 0)));
    script.add(List.of(value("a", 8, 0)));
    expect("a", end, 11, "EARLY");
    script.add(List.of(value("b", 16, 0), value("b", 32, 0)));
    expect("b", end, 52, "EARLY");
    script.add(List.of(value("a", 64, 0)));
    expect("a", end, 64, "ON_TIME");

    run(
        script,
        Window.<KV<String, Long>>into(new GlobalWindows())
            .triggering(Repeatedly.forever(AfterPane.elementCountAtLeast(3)))
            .withAllowedLateness(Duration.ZERO),
        false);
  }

  /// A result may have the timestamp of the first of its values.
  @Test
  void timestampsOfValuesAreKept() {
    Script script = new Script();
    script.add(List.of(value("a", 1, 9), value("b", 2, 7), value("a", 4, 5)));
    script.add(List.of(value("b", 8, 8), value("a", 16, 6)));
    expect("a", 5, 21, "ON_TIME");
    expect("b", 7, 10, "ON_TIME");

    run(
        script,
        Window.<KV<String, Long>>into(FixedWindows.of(Duration.millis(SIZE)))
            .withTimestampCombiner(TimestampCombiner.EARLIEST)
            .withAllowedLateness(Duration.ZERO),
        false);
  }
}
