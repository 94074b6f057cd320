package dev.millrace.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Max;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Elements of which each waits until the greatest one of its window is known, against plain
/// arithmetic.
class WaitingForViewsTest {
  /// By the number of an element, what it has found.
  private static final Map<Integer, Integer> FOUND = new ConcurrentHashMap<>();

  @BeforeEach
  void nothingIsNoted() {
    FOUND.clear();
  }

  /// Few windows of many elements, many of few, and elements larger than what is kept as one piece.
  @ParameterizedTest
  @CsvSource({"1,3,8000,10", "2,700,2000,10", "3,5,60,20000", "4,40,3000,300"})
  void eachElementFindsWhatItsWindowHas(long seed, int windows, int count, int length) {
    check(seed, windows, count, length, false);
  }

  /// The views of windows come while others still get elements.
  @ParameterizedTest
  @CsvSource({"11,3,2000,10", "12,50,500,10", "13,5,60,20000", "14,20,1000,300"})
  void eachElementFindsWhatItsWindowHasSoon(long seed, int windows, int count, int length) {
    check(seed, windows, count, length, true);
  }

  @ParameterizedTest
  @CsvSource({"5,3,6000,10", "6,300,1000,10", "7,5,60,20000", "8,20,2000,300"})
  void eachElementFindsWhatItsWindowHasWhenThePipelineDies(
      long seed, int windows, int count, int length) {
    check(seed, windows, count, length, false, "--crashSeed=" + seed);
  }

  private static void check(
      long seed, int windows, int count, int length, boolean stream, String... more) {
    Random random = new Random(seed);
    List<TimestampedValue<KV<Integer, String>>> all = new ArrayList<>();
    SortedMap<Integer, Integer> greatest = new TreeMap<>();
    List<Integer> windowOf = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int window = random.nextInt(windows);
      windowOf.add(window);
      greatest.merge(window, i, Math::max);
      all.add(
          TimestampedValue.of(
              KV.of(i, "x".repeat(random.nextInt(length))),
              Instant.ofEpochMilli(window * 1_000L + random.nextInt(1_000))));
    }
    SortedMap<Integer, Integer> expected = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      expected.put(i, greatest.get(windowOf.get(i)));
    }
    List<String> options =
        new ArrayList<>(List.of("--runner=TestMillraceRunner", "--parallelism=2"));
    options.addAll(List.of(more));
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs(options.toArray(String[]::new)).create());
    PCollection<KV<Integer, String>> elements =
        pipeline
            .apply(stream ? events(all, windows) : Create.timestamped(all))
            .apply(Window.into(FixedWindows.of(Duration.standardSeconds(1))));
    PCollectionView<Integer> view =
        elements
            .apply(ParDo.of(new Numbers()))
            .apply(Combine.globally(Max.ofIntegers()).withoutDefaults().asSingletonView());
    elements.apply(ParDo.of(new Find(view)).withSideInputs(view));

    pipeline.run();

    assertEquals(expected, new TreeMap<>(FOUND));
  }

  private static TestStream<KV<Integer, String>> events(
      List<TimestampedValue<KV<Integer, String>>> all, int windows) {
    TestStream.Builder<KV<Integer, String>> events =
        TestStream.create(KvCoder.of(VarIntCoder.of(), StringUtf8Coder.of()));
    for (int window = 0; window < windows; window++) {
      Instant end = Instant.ofEpochMilli((window + 1) * 1_000L);
      for (TimestampedValue<KV<Integer, String>> each : all) {
        long behind = end.getMillis() - each.getTimestamp().getMillis();
        if (behind > 0 && behind <= 1_000) {
          events = events.addElements(each);
        }
      }
      events = events.advanceWatermarkTo(end);
    }
    return events.advanceWatermarkToInfinity();
  }

  private static final class Numbers extends DoFn<KV<Integer, String>, Integer> {
    @ProcessElement
    public void process(@Element KV<Integer, String> element, OutputReceiver<Integer> out) {
      out.output(element.getKey());
    }
  }

  private static final class Find extends DoFn<KV<Integer, String>, Void> {
    private final PCollectionView<Integer> view;

    Find(PCollectionView<Integer> view) {
      this.view = view;
    }

    @ProcessElement
    public void process(ProcessContext context, IntervalWindow window) {
      int seconds = (int) (window.start().getMillis() / 1_000);
      assertEquals(seconds, context.timestamp().getMillis() / 1_000);
      FOUND.put(Objects.requireNonNull(context.element()).getKey(), context.sideInput(view));
    }
  }
}
