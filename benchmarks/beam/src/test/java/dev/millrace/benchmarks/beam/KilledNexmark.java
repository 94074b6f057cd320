package dev.millrace.benchmarks.beam;

import java.nio.file.Path;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.nexmark.NexmarkConfiguration;
import org.apache.beam.sdk.nexmark.NexmarkUtils;
import org.apache.beam.sdk.nexmark.model.Event;
import org.apache.beam.sdk.nexmark.model.KnownSize;
import org.apache.beam.sdk.nexmark.queries.NexmarkQuery;
import org.apache.beam.sdk.nexmark.queries.NexmarkQueryTransform;
import org.apache.beam.sdk.nexmark.queries.Query11;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TimestampedValue;

/// The process that the test kills: a query of Nexmark on Kafka, with its state on disk.
final class KilledNexmark {
  private static final int READERS = 3;

  private KilledNexmark() {}

  /// The events of a query: one each 2.5 ms of event time, in windows of a second or two.
  ///
  /// @param events how many
  static NexmarkConfiguration configuration(long events) {
    NexmarkConfiguration configuration = NexmarkConfiguration.DEFAULT.copy();
    configuration.numEvents = events;
    configuration.numEventGenerators = 1;
    configuration.firstEventRate = 400;
    configuration.nextEventRate = 400;
    configuration.windowSizeSec = 2;
    configuration.windowPeriodSec = 1;
    // The model of query 3 does not know that people are forgotten.
    configuration.maxAuctionsWaitingTime = 1_000_000;
    return configuration;
  }

  /// @param args name of the query, address of Kafka, directory of the state, how many events, how
  ///   many a second, file of the journal, directory of the results
  public static void main(String[] args) {
    NexmarkConfiguration configuration = configuration(Long.parseLong(args[3]));
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    "--runner=MillraceRunner",
                    "--jobName=nexmark-" + args[0],
                    "--parallelism=2",
                    "--settings=kafka.bootstrap.servers=" + args[1],
                    "--settings=state.directory=" + args[2],
                    "--settings=commit.interval=200ms",
                    "--settings=http.port=-1")
                .create());
    NexmarkUtils.setupPipeline(configuration.coderStrategy, pipeline);
    Dealt.Pace pace = new Dealt.Pace(Long.parseLong(args[4]), new Journal(args[5]));
    results(
            query(args[0], configuration),
            pipeline.apply(Read.from(new Dealt(configuration, READERS, pace))),
            configuration)
        .apply("Keep", new Kept(Path.of(args[6])));
    pipeline.run().waitUntilFinish();
  }

  private static NexmarkQueryTransform<? extends KnownSize> query(
      String name, NexmarkConfiguration configuration) {
    return name.equals("Q11")
        ? new Query11(configuration)
        : Modelled.valueOf(name).query(configuration);
  }

  private static <T extends KnownSize> PCollection<String> results(
      NexmarkQueryTransform<T> query,
      PCollection<Event> events,
      NexmarkConfiguration configuration) {
    return events
        .apply(new NexmarkQuery<>(configuration, query))
        .apply("Text", MapElements.via(new Text<T>()));
  }

  private static final class Text<T extends KnownSize>
      extends SimpleFunction<TimestampedValue<T>, String> {
    @Override
    public String apply(TimestampedValue<T> result) {
      return result.getValue().toString();
    }
  }
}
