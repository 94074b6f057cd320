package dev.millrace.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.Max;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Windows that have one result, when they have ended, against plain arithmetic: what is grouped,
/// what is combined, and what waits for a view.
class EndedWindowsTest {
  private static final Map<String, Integer> NOTED = new ConcurrentHashMap<>();
  private static final long SIZE = 90;
  private static final long PERIOD = 30;

  private final SortedMap<String, Integer> expected = new TreeMap<>();

  /// A value of a key.
  private record Row(String key, long value, long time) {}

  @BeforeEach
  void nothingIsNoted() {
    NOTED.clear();
  }

  private static void note(Map<String, Integer> in, String line) {
    in.merge(line, 1, Integer::sum);
  }

  private static List<Row> rows(long seed, int count, int keys) {
    Random random = new Random(seed);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int key = random.nextInt(keys);
      // One key is so long that its hash stands for it.
      String text = key == 5 ? "k".repeat(40_000) + key : "k" + key;
      rows.add(new Row(text, random.nextInt(1_000), random.nextInt(600)));
    }
    return rows;
  }

  private static Pipeline pipeline() {
    return Pipeline.create(
        PipelineOptionsFactory.fromArgs("--runner=TestMillraceRunner", "--parallelism=3").create());
  }

  private static PCollection<KV<String, Long>> read(Pipeline pipeline, List<Row> rows) {
    List<TimestampedValue<KV<String, Long>>> values = new ArrayList<>();
    for (Row row : rows) {
      values.add(TimestampedValue.of(KV.of(row.key, row.value), Instant.ofEpochMilli(row.time)));
    }
    return pipeline.apply(Create.timestamped(values));
  }

  private static String line(String key, String result, long end) {
    String last = key.substring(Math.max(0, key.length() - 10));
    return "%s in the window that ends at %d: %s".formatted(last, end, result);
  }

  private static String pane(DoFn<?, ?>.ProcessContext context, BoundedWindow window) {
    assertEquals(window.maxTimestamp(), context.timestamp());
    return context.pane().toString();
  }

  private static final class NoteGroups extends DoFn<KV<String, Iterable<Long>>, Void> {
    @ProcessElement
    public void process(ProcessContext context, BoundedWindow window) {
      List<Long> values = new ArrayList<>();
      context.element().getValue().forEach(values::add);
      Collections.sort(values);
      String result = values + " " + pane(context, window);
      long end = window.maxTimestamp().getMillis() + 1;
      note(NOTED, line(context.element().getKey(), result, end));
    }
  }

  private static final class NoteSums extends DoFn<KV<String, Long>, Void> {
    @ProcessElement
    public void process(ProcessContext context, BoundedWindow window) {
      String result = context.element().getValue() + " " + pane(context, window);
      long end = window.maxTimestamp().getMillis() + 1;
      note(NOTED, line(context.element().getKey(), result, end));
    }
  }

  /// Says by how much each value is below the greatest of its window.
  private static final class BelowMost extends DoFn<KV<String, Long>, Void> {
    private final PCollectionView<Long> most;

    BelowMost(PCollectionView<Long> most) {
      this.most = most;
    }

    @ProcessElement
    public void process(ProcessContext context, BoundedWindow window) {
      long below = context.sideInput(most) - context.element().getValue();
      long end = window.maxTimestamp().getMillis() + 1;
      note(NOTED, line(context.element().getKey(), Long.toString(below), end));
    }
  }

  private static SortedMap<String, List<Row>> byWindow(List<Row> rows, long size, long period) {
    SortedMap<String, List<Row>> groups = new TreeMap<>();
    for (Row row : rows) {
      for (long start = row.time - row.time % period; start > row.time - size; start -= period) {
        groups.computeIfAbsent(row.key + " " + (start + size), _ -> new ArrayList<>()).add(row);
      }
    }
    return groups;
  }

  private static final String ONLY =
      "PaneInfo{isFirst=true, isLast=true, timing=ON_TIME, index=0, onTimeIndex=0}";

  private void expect(SortedMap<String, List<Row>> groups, boolean sums) {
    groups.forEach((name, rows) -> {
      List<Long> values = new ArrayList<>(rows.stream().map(Row::value).sorted().toList());
      String result =
          sums
              ? Long.toString(values.stream().mapToLong(Long::longValue).sum())
              : values.toString();
      long end = Long.parseLong(name.substring(name.indexOf(' ') + 1));
      note(expected, line(rows.getFirst().key, result + " " + ONLY, end));
    });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void valuesAreGrouped(long seed) {
    List<Row> rows = rows(seed, 2_000, 20);
    expect(byWindow(rows, SIZE, PERIOD), false);
    Pipeline pipeline = pipeline();
    read(pipeline, rows)
        .apply(Window.into(SlidingWindows.of(Duration.millis(SIZE)).every(Duration.millis(PERIOD))))
        .apply(GroupByKey.create())
        .apply(ParDo.of(new NoteGroups()));

    pipeline.run();

    assertEquals(expected, new TreeMap<>(NOTED));
  }

  /// So many of one key that they are kept in several chunks.
  @Test
  void manyValuesOfAKeyAreGrouped() {
    List<Row> rows = rows(4, 20_000, 2);
    expect(byWindow(rows, 600, 600), false);
    Pipeline pipeline = pipeline();
    read(pipeline, rows)
        .apply(Window.into(FixedWindows.of(Duration.millis(600))))
        .apply(GroupByKey.create())
        .apply(ParDo.of(new NoteGroups()));

    pipeline.run();

    assertEquals(expected, new TreeMap<>(NOTED));
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6, 7})
  void valuesAreCombined(long seed) {
    List<Row> rows = rows(seed, 5_000, 20);
    expect(byWindow(rows, SIZE, PERIOD), true);
    Pipeline pipeline = pipeline();
    read(pipeline, rows)
        .apply(Window.into(SlidingWindows.of(Duration.millis(SIZE)).every(Duration.millis(PERIOD))))
        .apply(Sum.longsPerKey())
        .apply(ParDo.of(new NoteSums()));

    pipeline.run();

    assertEquals(expected, new TreeMap<>(NOTED));
  }

  /// More elements wait than are released at once.
  @Test
  void elementsWaitForTheViewOfTheirWindow() {
    List<Row> rows = rows(8, 12_000, 20);
    SortedMap<Long, Long> most = new TreeMap<>();
    rows.forEach(row -> most.merge(row.time / 300, row.value, Math::max));
    rows.forEach(row ->
        note(
            expected,
            line(
                row.key,
                Long.toString(most.get(row.time / 300) - row.value),
                (row.time / 300 + 1) * 300)));
    Pipeline pipeline = pipeline();
    PCollection<KV<String, Long>> read =
        read(pipeline, rows).apply(Window.into(FixedWindows.of(Duration.millis(300))));
    PCollectionView<Long> view =
        read.apply(ParDo.of(new Values()))
            .apply(Max.longsGlobally().withoutDefaults().asSingletonView());
    read.apply(ParDo.of(new BelowMost(view)).withSideInputs(view));

    pipeline.run();

    assertEquals(expected, new TreeMap<>(NOTED));
  }

  private static final class Values extends DoFn<KV<String, Long>, Long> {
    @ProcessElement
    public void process(@Element KV<String, Long> pair, OutputReceiver<Long> out) {
      out.output(pair.getValue());
    }
  }
}
