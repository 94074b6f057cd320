package dev.millrace.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sessions whose values come in any order while event time moves on, against a plain list of
/// sessions: what is grouped, what is combined, and what comes too late.
class MergingWindowsTest {
  private static final Map<String, Integer> NOTED = new ConcurrentHashMap<>();
  private static final long GAP = 30;

  private final SortedMap<String, Integer> expected = new TreeMap<>();
  private final List<Session> open = new ArrayList<>();
  private TestStream.Builder<KV<String, Long>> stream =
      TestStream.create(KvCoder.of(StringUtf8Coder.of(), VarLongCoder.of()));
  private long watermark = Long.MIN_VALUE;
  private int tooLate;

  /// The values of a key between two pauses.
  private record Session(String key, long start, long end, List<Long> values) {
    boolean overlaps(Session other) {
      return key.equals(other.key) && start < other.end && other.start < end;
    }

    Session with(Session other) {
      List<Long> both = new ArrayList<>(values);
      both.addAll(other.values);
      return new Session(key, Math.min(start, other.start), Math.max(end, other.end), both);
    }
  }

  @BeforeEach
  void nothingIsNoted() {
    NOTED.clear();
  }

  private static void note(Map<String, Integer> in, String line) {
    in.merge(line, 1, Integer::sum);
  }

  private static String line(String key, long start, long end, String result) {
    String last = key.substring(Math.max(0, key.length() - 10));
    return "%s from %d to %d: %s".formatted(last, start, end, result);
  }

  /// A value comes, and is part of a session that has not ended, or is too late.
  private void comes(List<TimestampedValue<KV<String, Long>>> in, String key, long at, long value) {
    in.add(TimestampedValue.of(KV.of(key, value), Instant.ofEpochMilli(at)));
    Session session = new Session(key, at, at + GAP, List.of(value));
    if (session.end <= watermark) {
      tooLate++;
      return;
    }
    for (Session other : List.copyOf(open)) {
      if (session.overlaps(other)) {
        open.remove(other);
        session = session.with(other);
      }
    }
    open.add(session);
  }

  private void add(List<TimestampedValue<KV<String, Long>>> values) {
    for (TimestampedValue<KV<String, Long>> value : values) {
      stream = stream.addElements(value);
    }
  }

  private void movesOn(long to, boolean sums) {
    watermark = to;
    stream = stream.advanceWatermarkTo(Instant.ofEpochMilli(to));
    ends(sums);
  }

  private void ends(boolean sums) {
    for (Session session : List.copyOf(open)) {
      if (session.end <= watermark) {
        open.remove(session);
        String result =
            sums
                ? Long.toString(session.values.stream().mapToLong(Long::longValue).sum())
                : session.values.stream().sorted().toList().toString();
        note(expected, line(session.key, session.start, session.end, result));
      }
    }
  }

  private void run(boolean sums, String... options) {
    List<String> all = new ArrayList<>(List.of("--runner=TestMillraceRunner", "--parallelism=3"));
    Collections.addAll(all, options);
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs(all.toArray(String[]::new)).create());
    PCollection<KV<String, Long>> windowed =
        pipeline
            .apply(stream.advanceWatermarkToInfinity())
            .apply(Window.into(Sessions.withGapDuration(Duration.millis(GAP))));
    if (sums) {
      windowed.apply(Sum.longsPerKey()).apply(ParDo.of(new NoteSums()));
    } else {
      windowed.apply(GroupByKey.create()).apply(ParDo.of(new NoteGroups()));
    }
    watermark = Long.MAX_VALUE;
    ends(sums);

    pipeline.run();
  }

  private void draw(long seed, boolean sums) {
    Random random = new Random(seed);
    long now = 0;
    for (int round = 0; round < 60; round++) {
      List<TimestampedValue<KV<String, Long>>> values = new ArrayList<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        int number = random.nextInt(6);
        // One key is so long that its hash stands for it.
        String key = number == 5 ? "k".repeat(40_000) + number : "k" + number;
        comes(values, key, now + random.nextInt(140) - 50, random.nextInt(1_000));
      }
      add(values);
      if (random.nextInt(3) == 0) {
        now += random.nextInt(90);
        movesOn(now, sums);
      }
    }
    assertTrue(tooLate > 0 && expected.size() > 20, tooLate + " too late, " + expected.size());
  }

  @ParameterizedTest
  @CsvSource({"1,false", "2,false", "3,false", "4,true", "5,true", "6,true"})
  void sessionsHaveTheirValues(long seed, boolean sums) {
    draw(seed, sums);

    run(sums);

    assertEquals(expected, new TreeMap<>(NOTED));
  }

  /// What is noted again after a death is the same.
  @ParameterizedTest
  @CsvSource({"7,false", "8,true"})
  void sessionsHaveTheirValuesWhenThePipelineDies(long seed, boolean sums) {
    draw(seed, sums);

    run(sums, "--crashSeed=" + seed);

    assertEquals(expected.keySet(), new TreeMap<>(NOTED).keySet());
  }

  /// So many values that they are kept in several chunks, in two sessions that become one.
  @Test
  void largeSessionsMerge() {
    List<TimestampedValue<KV<String, Long>>> values = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      comes(values, "k", i % 2 == 0 ? 100 : 150, i);
    }
    stream = stream.addElements(values.getFirst(), rest(values));
    values.clear();
    comes(values, "k", 125, 20_000);
    add(values);

    run(false);

    assertEquals(1, expected.size());
    assertEquals(expected, new TreeMap<>(NOTED));
  }

  @SuppressWarnings("unchecked")
  private static TimestampedValue<KV<String, Long>>[] rest(
      List<TimestampedValue<KV<String, Long>>> values) {
    return values.subList(1, values.size()).toArray(TimestampedValue[]::new);
  }

  private static void check(DoFn<?, ?>.ProcessContext context, IntervalWindow window) {
    assertEquals(window.maxTimestamp(), context.timestamp());
    assertEquals(
        "PaneInfo{isFirst=true, isLast=true, timing=ON_TIME, index=0, onTimeIndex=0}",
        context.pane().toString());
  }

  private static final class NoteGroups extends DoFn<KV<String, Iterable<Long>>, Void> {
    @ProcessElement
    public void process(ProcessContext context, IntervalWindow window) {
      check(context, window);
      List<Long> values = new ArrayList<>();
      context.element().getValue().forEach(values::add);
      Collections.sort(values);
      note(NOTED, lineOf(context.element().getKey(), window, values.toString()));
    }
  }

  private static final class NoteSums extends DoFn<KV<String, Long>, Void> {
    @ProcessElement
    public void process(ProcessContext context, IntervalWindow window) {
      check(context, window);
      String sum = Long.toString(context.element().getValue());
      note(NOTED, lineOf(context.element().getKey(), window, sum));
    }
  }

  private static String lineOf(String key, IntervalWindow window, String result) {
    return line(key, window.start().getMillis(), window.end().getMillis(), result);
  }
}
