package dev.millrace.benchmarks.beam.peer;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.benchmarks.process.Parent;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.nexmark.NexmarkConfiguration;
import org.apache.beam.sdk.nexmark.NexmarkOptions;
import org.apache.beam.sdk.nexmark.NexmarkUtils;
import org.apache.beam.sdk.nexmark.model.Event;
import org.apache.beam.sdk.nexmark.model.KnownSize;
import org.apache.beam.sdk.nexmark.queries.NexmarkQuery;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TimestampedValue;

/// Runs a query of Nexmark again and again in one process: first to get warm, of which the first
/// time also adds up the answers, and then to be measured. It is told the query, the number of runs
/// of both kinds, the number of events and the options of the pipeline, and tells of each run the
/// seconds that it took, those of processors, and the results.
public final class BeamNexmark {
  private static final double NANOS = 1e9;
  private static final int SPLITS = 2;
  private static final String RESULTS = "discarded";

  private final String query;
  private final long events;
  private final String[] options;

  private BeamNexmark(String query, long events, String[] options) {
    this.query = query;
    this.events = events;
    this.options = options;
  }

  /// What a run has counted.
  private record Counted(long results, long answers) {}

  /// Runs it; see the class.
  public static void main(String[] arguments) {
    Parent.endWithIt();
    List<String> rest = List.of(arguments).subList(4, arguments.length);
    BeamNexmark nexmark =
        new BeamNexmark(arguments[0], Long.parseLong(arguments[3]), rest.toArray(String[]::new));
    int warm = Integer.parseInt(arguments[1]);
    int runs = Integer.parseInt(arguments[2]);
    for (int i = 0; i < warm; i++) {
      Counted counted = nexmark.run("warm-" + i, i == 0);
      if (i == 0) {
        Parent.tell("answers", counted.results + " " + counted.answers);
      }
    }
    for (int i = 0; i < runs; i++) {
      System.gc();
      long start = System.nanoTime();
      long cpu = cpuNanos();
      Counted counted = nexmark.run("run-" + i, false);
      Parent.tell(
          "run-" + i,
          String.format(
              Locale.ROOT,
              "%.3f %.3f %d",
              (System.nanoTime() - start) / NANOS,
              (cpuNanos() - cpu) / NANOS,
              counted.results));
    }
    Parent.tell("done", runs);
    System.exit(0);
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private Counted run(String name, boolean answers) {
    NexmarkOptions given = PipelineOptionsFactory.fromArgs(options).as(NexmarkOptions.class);
    given.setStreaming(true);
    given.setJobName("nexmark-%s-%s-%d".formatted(query, name, ProcessHandle.current().pid()));
    Pipeline pipeline = Pipeline.create(given);
    NexmarkUtils.setupPipeline(NexmarkUtils.CoderStrategy.HAND, pipeline);
    PCollection<TimestampedValue<KnownSize>> results = results(pipeline);
    results.apply("Count", NexmarkUtils.devNull(RESULTS));
    if (answers) {
      results.apply("Answers", ParDo.of(new Answers()));
    }
    PipelineResult result = pipeline.run();
    PipelineResult.State state = result.waitUntilFinish();
    if (state != PipelineResult.State.DONE) {
      throw new IllegalStateException(query + " ended as " + state);
    }
    return new Counted(counter(result, RESULTS), counter(result, Answers.SUM));
  }

  @SuppressWarnings("unchecked")
  private PCollection<TimestampedValue<KnownSize>> results(Pipeline pipeline) {
    NexmarkConfiguration configuration = NexmarkConfiguration.DEFAULT.copy();
    configuration.numEvents = events;
    configuration.numEventGenerators = SPLITS;
    configuration.isRateLimited = false;
    configuration.sinkType = NexmarkUtils.SinkType.COUNT_ONLY;
    NexmarkQuery<?> transform = new NexmarkQuery<>(configuration, Queries.of(query, configuration));
    PCollection<Event> read =
        pipeline.apply("Read", NexmarkUtils.streamEventsSource(configuration));
    if (transform.getTransform().needsSideInput()) {
      transform.getTransform().setSideInput(NexmarkUtils.prepareSideInput(pipeline, configuration));
    }
    return (PCollection<TimestampedValue<KnownSize>>) (PCollection<?>) read.apply(transform);
  }

  private static long counter(PipelineResult result, String name) {
    long sum = 0;
    for (MetricResult<Long> each :
        result.metrics().queryMetrics(MetricsFilter.builder().build()).getCounters()) {
      sum += each.getName().getName().equals(name) ? each.getAttempted() : 0;
    }
    return sum;
  }
}
