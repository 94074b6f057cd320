package dev.millrace.beam.bags;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.testing.TestPipelineOptions;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.junit.jupiter.api.Test;

/// A bag with many elements is read as somebody iterates over it, and what was read stays as it was
/// when the bag is changed: compared with lists.
class LargeBagTest {
  private static final long MANY = 3_500;
  private static final byte[] PADDING = new byte[400];
  private static final List<String> NOTED = new CopyOnWriteArrayList<>();
  private static final AtomicLong READ = new AtomicLong();

  /// Counts what is read from the store. All that the bag has is more than a megabyte.
  private static final class Counting extends AtomicCoder<Long> {
    @Override
    public void encode(Long value, OutputStream out) throws IOException {
      VarLongCoder.of().encode(value, out);
      out.write(PADDING);
    }

    @Override
    public Long decode(InputStream in) throws IOException {
      READ.incrementAndGet();
      long value = VarLongCoder.of().decode(in);
      in.skipNBytes(PADDING.length);
      return value;
    }
  }

  private static List<Long> list(Iterable<Long> elements) {
    List<Long> list = new ArrayList<>();
    elements.forEach(list::add);
    return list;
  }

  private static List<Long> numbers(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  private static void note(String what, List<Long> expected, Iterable<Long> found) {
    if (!expected.equals(list(found))) {
      NOTED.add(what);
    }
  }

  private static final class Use extends DoFn<KV<String, Long>, Void> {
    @StateId("bag")
    private final StateSpec<BagState<Long>> spec = StateSpecs.bag(new Counting());

    /// The first call fills the bag, the second one reads it from what is committed or not.
    @ProcessElement
    public void process(@Element KV<String, Long> call, @StateId("bag") BagState<Long> bag) {
      long base = call.getValue();
      note("what was left", base == 0 ? List.of() : List.of(-1L, -2L), bag.read());
      bag.clear();
      note("empty", List.of(), bag.read());
      LongStream.range(base, base + MANY).forEach(bag::add);
      READ.set(0);
      Iterable<Long> all = bag.read();
      Iterator<Long> begun = all.iterator();
      List<Long> rest = new ArrayList<>(List.of(begun.next()));
      if (READ.get() >= MANY) {
        NOTED.add("All was read at once: " + READ);
      }
      bag.add(7L);
      bag.clear();
      bag.add(-1L);
      begun.forEachRemaining(rest::add);
      note("an iterator that had begun", numbers(base, base + MANY), rest);
      note("what was read before", numbers(base, base + MANY), all);
      note("again", numbers(base, base + MANY), all);
      note("what came later", List.of(-1L), bag.read());
      LongStream.range(0, MANY).forEach(bag::add);
      Iterable<Long> more = bag.read();
      bag.clear();
      bag.add(-1L);
      bag.add(-2L);
      List<Long> expected = new ArrayList<>(List.of(-1L));
      expected.addAll(numbers(0, MANY));
      note("read a second time", expected, more);
      note("what is left", List.of(-1L, -2L), bag.read());
    }
  }

  private static void run(String... arguments) {
    NOTED.clear();
    PipelineOptions options = PipelineOptionsFactory.fromArgs(arguments).create();
    options.as(TestPipelineOptions.class).setTestTimeoutSeconds(200L);
    Pipeline pipeline = Pipeline.create(options);
    pipeline.apply(Create.of(KV.of("key", 0L))).apply("First", ParDo.of(new Use()));

    pipeline.run().waitUntilFinish();

    assertEquals(List.of(), NOTED);
    assertTrue(READ.get() > 0);
  }

  @Test
  void whatWasReadStaysAsItWas() {
    run("--runner=TestMillraceRunner");
  }
}
