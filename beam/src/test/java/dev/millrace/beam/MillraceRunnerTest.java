package dev.millrace.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.JobState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.FlatMapElements;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;

/// Pipelines as a user runs them, in memory.
class MillraceRunnerTest {
  private static final Map<String, Long> COUNTED = new ConcurrentHashMap<>();
  private static final AtomicLong PANES = new AtomicLong();

  private static Pipeline pipeline(String... more) {
    List<String> arguments = new ArrayList<>(List.of("--runner=MillraceRunner"));
    arguments.addAll(Arrays.asList(more));
    return Pipeline.create(
        PipelineOptionsFactory.fromArgs(arguments.toArray(String[]::new)).create());
  }

  /// Notes what comes, and counts it.
  private static final class Note extends DoFn<KV<String, Long>, Void> {
    @ProcessElement
    public void process(@Element KV<String, Long> word) {
      COUNTED.merge(word.getKey(), word.getValue(), Long::sum);
      PANES.incrementAndGet();
      Metrics.counter("test", "words").inc();
    }
  }

  private static final class Fail extends DoFn<String, Void> {
    @ProcessElement
    public void process() {
      throw new IllegalStateException("as planned");
    }
  }

  @Test
  void wordsAreCounted() throws Exception {
    Random random = new Random(1);
    List<String> lines = new ArrayList<>();
    Map<String, Long> expected = new TreeMap<>();
    for (int line = 0; line < 200; line++) {
      List<String> words = new ArrayList<>();
      for (int word = 0; word < 10; word++) {
        words.add("w" + random.nextInt(50));
        expected.merge(words.getLast(), 1L, Long::sum);
      }
      lines.add(String.join(" ", words));
    }
    COUNTED.clear();
    Pipeline pipeline = pipeline("--jobName=words", "--parallelism=3");
    pipeline
        .apply(Create.of(lines))
        .apply(
            FlatMapElements.into(TypeDescriptors.strings())
                .via(line -> List.of(line.toLowerCase(Locale.ROOT).split(" "))))
        .apply(Count.perElement())
        .apply(ParDo.of(new Note()));

    MillraceResult result = (MillraceResult) pipeline.run();

    assertEquals(State.DONE, result.waitUntilFinish(Duration.standardMinutes(1)));
    assertEquals(expected, new TreeMap<>(COUNTED));
    var counters =
        result.metrics().queryMetrics(MetricsFilter.builder().build()).getCounters().iterator();
    long words = 0;
    while (counters.hasNext()) {
      var next = counters.next();
      if (next.getName().getName().equals("words")) {
        words += next.getCommitted();
      }
    }
    assertEquals(expected.size(), words);
  }

  /// Event time passes the end of the window and of its lateness in one step, at the end.
  @Test
  void aWindowThatMayBeLateGivesNoEmptyPaneAtTheEnd() {
    COUNTED.clear();
    PANES.set(0);
    Pipeline pipeline = pipeline("--jobName=late");
    pipeline
        .apply(Create.of("one", "two", "two"))
        .apply(
            Window.<String>into(FixedWindows.of(Duration.standardSeconds(1)))
                .withAllowedLateness(Duration.standardDays(1))
                .discardingFiredPanes())
        .apply(Count.perElement())
        .apply(ParDo.of(new Note()));

    pipeline.run().waitUntilFinish();

    assertEquals(Map.of("one", 1L, "two", 2L), COUNTED);
    assertEquals(2, PANES.get());
  }

  @Test
  void whatUserCodeThrowsIsTheCause() {
    Pipeline pipeline = pipeline("--jobName=fails");
    pipeline.apply(Create.of("one")).apply(ParDo.of(new Fail()));

    PipelineExecutionException failure =
        assertThrows(PipelineExecutionException.class, () -> pipeline.run().waitUntilFinish());

    assertEquals("as planned", failure.getCause().getMessage());
  }

  @Test
  void anUnboundedPipelineIsToldWhereItsStateIsKept() {
    Pipeline pipeline = pipeline("--jobName=unbounded");
    pipeline.apply(GenerateSequence.from(0));

    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, pipeline::run);

    assertTrue(refused.getMessage().contains("--settings=log=memory"), refused.getMessage());
  }

  @Test
  void anUnboundedPipelineIsCancelled() throws Exception {
    Pipeline pipeline = pipeline("--jobName=cancelled", "--settings=log=memory");
    pipeline.apply(GenerateSequence.from(0).withRate(10, Duration.standardSeconds(1)));
    MillraceResult result = (MillraceResult) pipeline.run();
    while (result.job().state() != JobState.RUNNING) {
      Thread.sleep(10);
    }

    assertEquals(State.CANCELLED, result.cancel());
  }
}
