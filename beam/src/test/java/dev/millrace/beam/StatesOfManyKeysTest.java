package dev.millrace.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.state.CombiningState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.values.KV;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// States of more keys, and of more bytes, than stay objects, against plain arithmetic.
class StatesOfManyKeysTest {
  private static final Map<Integer, String> LAST = new ConcurrentHashMap<>();

  @BeforeEach
  void nothingIsNoted() {
    LAST.clear();
  }

  private static Pipeline pipeline(String... more) {
    List<String> options =
        new ArrayList<>(List.of("--runner=TestMillraceRunner", "--parallelism=2"));
    options.addAll(List.of(more));
    return Pipeline.create(
        PipelineOptionsFactory.fromArgs(options.toArray(String[]::new)).create());
  }

  @ParameterizedTest
  @CsvSource({"1,4000,10,8000", "2,200,20000,1500", "3,1,10,500", "4,1100,1000,6000"})
  void statesAreThoseOfTheirKeys(long seed, int keys, int length, int count) {
    check(seed, keys, length, count);
  }

  /// In the end each key has what it has had, whatever was lost on the way.
  @ParameterizedTest
  @CsvSource({"5,1200,10,3000", "6,100,20000,400", "7,2,10,12000"})
  void statesAreThoseOfTheirKeysWhenThePipelineDies(long seed, int keys, int length, int count) {
    check(seed, keys, length, count, "--crashSeed=" + seed);
  }

  private static void check(long seed, int keys, int length, int count, String... options) {
    Random random = new Random(seed);
    SortedMap<Integer, String> expected = new TreeMap<>();
    Map<Integer, Long> sums = new TreeMap<>();
    Map<Integer, Integer> times = new TreeMap<>();
    List<KV<Integer, Integer>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int key = random.nextInt(keys);
      int value = random.nextInt(1_000);
      all.add(KV.of(key, value));
      sums.merge(key, (long) value, Long::sum);
      times.merge(key, 1, Integer::sum);
      expected.put(key, text(length, times.get(key), sums.get(key)));
    }
    Pipeline pipeline = pipeline(options);
    pipeline.apply(Create.of(all)).apply(ParDo.of(new Remember(length)));

    pipeline.run();

    assertEquals(expected, new TreeMap<>(LAST));
  }

  private static String text(int length, int times, long sum) {
    return times + " times, " + sum + " and " + "x".repeat(length);
  }

  /// Keeps how often a key has come, in a text, and the sum of its values, which it forgets for a
  /// moment now and then.
  private static final class Remember extends DoFn<KV<Integer, Integer>, Void> {
    private final int length;

    @StateId("text")
    private final StateSpec<ValueState<String>> texts = StateSpecs.value(StringUtf8Coder.of());

    @StateId("sum")
    private final StateSpec<CombiningState<Long, long[], Long>> sums =
        StateSpecs.combining(Sum.ofLongs());

    @StateId("copy")
    private final StateSpec<ValueState<Long>> copies = StateSpecs.value(VarLongCoder.of());

    Remember(int length) {
      this.length = length;
    }

    @ProcessElement
    public void process(
        @Element KV<Integer, Integer> element,
        @StateId("text") ValueState<String> text,
        @StateId("sum") CombiningState<Long, long[], Long> sum,
        @StateId("copy") ValueState<Long> copy) {
      String before = text.read();
      int times =
          before == null ? 1 : 1 + Integer.parseInt(before.substring(0, before.indexOf(' ')));
      Long kept = copy.read();
      if (kept != null) {
        sum.add(kept);
        copy.clear();
      }
      sum.add((long) element.getValue());
      long now = sum.read();
      text.write(text(length, times, now));
      LAST.put(element.getKey(), text.read());
      if (times % 3 == 0) {
        copy.write(now);
        sum.clear();
      }
    }
  }
}
