package dev.millrace.beam.bags;

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
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bags that are added to, read and cleared at random, against lists. What a call does is said by
/// its element alone, and the order of calls does not matter to what is noted.
class BagsOfManyKeysTest {
  private static final int ADD = 8;
  private static final int ADD_EMPTY = 9;
  private static final int READ = 10;
  private static final int LOOK = 11;
  private static final int CALLS = 12;

  /// By key, what its bag has in the end.
  private static final Map<Integer, List<String>> LAST = new ConcurrentHashMap<>();

  @BeforeEach
  void nothingIsNoted() {
    LAST.clear();
  }

  @ParameterizedTest
  @CsvSource({"1,3,4000,100", "2,1500,6000,30", "3,2,80,20000", "4,40,2000,2000"})
  void bagsHaveWhatWasAdded(long seed, int keys, int calls, int length) {
    check(seed, keys, calls, length);
  }

  @ParameterizedTest
  @CsvSource({"5,3,3000,100", "6,1200,3000,30", "7,2,80,20000", "8,40,1500,2000"})
  void bagsHaveWhatWasAddedWhenThePipelineDies(long seed, int keys, int calls, int length) {
    check(seed, keys, calls, length, "--crashSeed=" + seed);
  }

  private static void check(long seed, int keys, int calls, int length, String... more) {
    Random random = new Random(seed);
    SortedMap<Integer, List<String>> expected = new TreeMap<>();
    List<KV<Integer, String>> all = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      int key = random.nextInt(keys);
      int call = random.nextInt(CALLS);
      String text = call + ":" + (call <= ADD ? i + "x".repeat(random.nextInt(length)) : "");
      all.add(KV.of(key, text));
      List<String> has = expected.computeIfAbsent(key, _ -> new ArrayList<>());
      if (call <= ADD_EMPTY) {
        has.add(text.substring(text.indexOf(':') + 1));
      }
    }
    expected.values().forEach(list -> list.sort(null));
    List<String> options =
        new ArrayList<>(List.of("--runner=TestMillraceRunner", "--parallelism=2"));
    options.addAll(List.of(more));
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs(options.toArray(String[]::new)).create());
    pipeline.apply(Create.of(all)).apply(ParDo.of(new Call()));

    pipeline.run();

    SortedMap<Integer, List<String>> found = new TreeMap<>(LAST);
    found.values().forEach(list -> list.sort(null));
    assertEquals(expected, found);
  }

  /// Adds to a bag, or takes all that it has and puts it back; in the end notes what it has.
  static final class Call extends DoFn<KV<Integer, String>, Void> {
    @StateId("bag")
    private final StateSpec<BagState<String>> spec = StateSpecs.bag(StringUtf8Coder.of());

    @TimerId("end")
    private final TimerSpec timer = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    @ProcessElement
    public void process(
        @Element KV<Integer, String> element,
        @StateId("bag") BagState<String> bag,
        @TimerId("end") Timer end,
        BoundedWindow window) {
      end.set(window.maxTimestamp());
      String text = element.getValue();
      int separator = text.indexOf(':');
      int call = Integer.parseInt(text.substring(0, separator));
      if (call <= ADD_EMPTY) {
        bag.add(text.substring(separator + 1));
      } else if (call == READ) {
        List<String> had = new ArrayList<>();
        bag.read().forEach(had::add);
        bag.clear();
        bag.add("forgotten");
        assertEquals(false, bag.isEmpty().read());
        bag.clear();
        assertEquals(true, bag.isEmpty().read());
        had.forEach(bag::add);
      } else if (call == LOOK) {
        assertEquals(!bag.read().iterator().hasNext(), bag.isEmpty().read());
      }
    }

    @OnTimer("end")
    public void end(@Key Integer key, @StateId("bag") BagState<String> bag) {
      List<String> has = new ArrayList<>();
      bag.read().forEach(has::add);
      LAST.put(key, has);
    }
  }
}
