package dev.millrace.beam.killed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.state.CombiningState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Filter;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.joda.time.Duration;

/// The process that the test kills: numbers are grouped by windows, and counted by state and timers
/// with a view beside them. When it is started again, the source is split in another order. Each
/// result is a line at the end of a file; what is done again after a kill writes the same lines
/// again. A function that asks for stable input writes what it was told to another file.
final class KilledPipeline {
  static final long KEYS = 7;
  static final long WINDOW_MILLIS = 500;
  static final long FACTOR = 3;

  /// What is behind the name of the file with what a function with stable input was told.
  static final String STABLE = ".stable";

  /// It is told one number in so many.
  static final long SAMPLED = 50;

  private KilledPipeline() {}

  /// @param args address of Kafka, directory of the state, file of the lines, how many numbers, how
  ///   many a second, how exchanges go
  public static void main(String[] args) {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    "--runner=MillraceRunner",
                    "--jobName=killed",
                    "--parallelism=2",
                    "--settings=kafka.bootstrap.servers=" + args[0],
                    "--settings=state.directory=" + args[1],
                    "--settings=commit.interval=200ms",
                    "--settings=placement.exchanges=" + args[5],
                    "--settings=http.port=-1")
                .create());
    PCollection<KV<Long, Long>> numbers =
        pipeline
            .apply(
                Read.from(
                    new Numbers(
                        Long.parseLong(args[3]),
                        Long.parseLong(args[4]),
                        Files.exists(Path.of(args[2])))))
            .apply(
                WithKeys.<Long, Long>of(number -> number % KEYS)
                    .withKeyType(TypeDescriptors.longs()))
            .apply(Window.into(FixedWindows.of(Duration.millis(WINDOW_MILLIS))));
    PCollectionView<Long> factor =
        pipeline.apply(Create.of(FACTOR).withCoder(VarLongCoder.of())).apply(View.asSingleton());
    PCollection<String> grouped =
        numbers
            .apply(GroupByKey.create())
            .apply(ParDo.of(new Grouped(factor)).withSideInputs(factor));
    PCollection<String> counted = numbers.apply("Count", ParDo.of(new Counted()));
    PCollectionList.of(grouped)
        .and(counted)
        .apply(Flatten.pCollections())
        .apply(ParDo.of(new Line(args[2])));
    numbers
        .apply("Sampled", Filter.by(number -> number.getValue() % SAMPLED == 0))
        .apply("Drawn", ParDo.of(new Drawn()))
        .apply("Told", ParDo.of(new Told(args[2] + STABLE)));
    System.out.println("begun");
    pipeline.run().waitUntilFinish();
    System.out.println("ended");
  }

  private static final class Grouped extends DoFn<KV<Long, Iterable<Long>>, String> {
    private final PCollectionView<Long> factor;

    Grouped(PCollectionView<Long> factor) {
      this.factor = factor;
    }

    @ProcessElement
    public void process(ProcessContext context, BoundedWindow window) {
      long count = 0;
      long sum = 0;
      for (long each : context.element().getValue()) {
        count++;
        sum += each;
      }
      context.output(
          "grouped %d %d %d %d %d"
              .formatted(
                  context.element().getKey(),
                  ((IntervalWindow) window).start().getMillis(),
                  count,
                  sum * context.sideInput(factor),
                  context.pane().getIndex()));
    }
  }

  private static final class Counted extends DoFn<KV<Long, Long>, String> {
    @StateId("sum")
    private final StateSpec<CombiningState<Long, long[], Long>> sum =
        StateSpecs.combining(Sum.ofLongs());

    @StateId("key")
    private final StateSpec<ValueState<Long>> key = StateSpecs.value(VarLongCoder.of());

    @TimerId("end")
    private final TimerSpec end = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    @ProcessElement
    public void process(
        @Element KV<Long, Long> number,
        @StateId("sum") CombiningState<Long, long[], Long> summed,
        @StateId("key") ValueState<Long> known,
        @TimerId("end") Timer timer,
        BoundedWindow window) {
      summed.add(number.getValue());
      known.write(number.getKey());
      timer.set(window.maxTimestamp());
    }

    @OnTimer("end")
    @SuppressWarnings("UnusedMethod") // Beam calls it
    public void ended(
        OnTimerContext context,
        @StateId("sum") CombiningState<Long, long[], Long> summed,
        @StateId("key") ValueState<Long> known,
        BoundedWindow window) {
      context.output(
          "counted %d %d %d"
              .formatted(
                  known.read(), ((IntervalWindow) window).start().getMillis(), summed.read()));
    }
  }

  /// Makes something else of a number in each attempt.
  private static final class Drawn extends DoFn<KV<Long, Long>, String> {
    @ProcessElement
    public void process(@Element KV<Long, Long> number, OutputReceiver<String> out) {
      out.output(number.getValue() + " " + UUID.randomUUID());
    }
  }

  private static final class Told extends DoFn<String, Void> {
    private final String file;

    Told(String file) {
      this.file = file;
    }

    @RequiresStableInput
    @ProcessElement
    public void process(@Element String line) throws IOException {
      append(file, line);
    }
  }

  private static void append(String file, String line) throws IOException {
    Files.write(
        Path.of(file),
        (line + "\n").getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static final class Line extends DoFn<String, Void> {
    private final String file;

    Line(String file) {
      this.file = file;
    }

    @ProcessElement
    public void process(@Element String line) throws IOException {
      append(file, line);
    }
  }
}
