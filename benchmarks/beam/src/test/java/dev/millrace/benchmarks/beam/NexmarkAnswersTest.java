package dev.millrace.benchmarks.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.nexmark.NexmarkConfiguration;
import org.apache.beam.sdk.nexmark.NexmarkUtils;
import org.apache.beam.sdk.nexmark.model.Event;
import org.apache.beam.sdk.nexmark.model.KnownSize;
import org.apache.beam.sdk.nexmark.queries.NexmarkQuery;
import org.apache.beam.sdk.nexmark.queries.NexmarkQueryTransform;
import org.apache.beam.sdk.nexmark.queries.Query10;
import org.apache.beam.sdk.nexmark.queries.Query11;
import org.apache.beam.sdk.nexmark.queries.Query12;
import org.apache.beam.sdk.nexmark.queries.Query13;
import org.apache.beam.sdk.nexmark.queries.Query14;
import org.apache.beam.sdk.nexmark.queries.Query9Model;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The queries of Beam's Nexmark, which is streamed, give the results of Beam's own models, or of
/// plain loops where Beam has none. Not compared is when panes fire that go by processing time, of
/// which there are only sums (queries 10 and 12).
class NexmarkAnswersTest {
  private static final int READERS = 3;
  private static final Duration PATIENCE = Duration.standardMinutes(2);

  /// Ten thousand events of 25 seconds, which are dealt to several readers: with more generators
  /// the events would be others than those of the models.
  ///
  /// No two of their times are apart by just the gap of the sessions, for which Beam and the model
  /// have different opinions; and no bid wins an auction that has ended, as the model has it if
  /// that bid is the first event after the end.
  private static NexmarkConfiguration configuration() {
    NexmarkConfiguration configuration = NexmarkConfiguration.DEFAULT.copy();
    configuration.numEvents = 10_000;
    configuration.numEventGenerators = 1;
    configuration.firstEventRate = 400;
    configuration.nextEventRate = 400;
    configuration.sessionGap = Duration.millis(501);
    return configuration;
  }

  @ParameterizedTest
  @EnumSource
  void answersAreThoseOfTheModel(Modelled query) {
    NexmarkConfiguration configuration = configuration();

    assertModelled(
        query, configuration, run(configuration, query.query(configuration), dealt(configuration)));
  }

  @ParameterizedTest
  @EnumSource
  void answersAreThoseOfTheModelWithTheSourceOfNexmark(Modelled query) {
    NexmarkConfiguration configuration = configuration();

    assertModelled(
        query,
        configuration,
        run(
            configuration,
            query.query(configuration),
            NexmarkUtils.streamEventsSource(configuration)));
  }

  private static void assertModelled(
      Modelled query, NexmarkConfiguration configuration, List<TimestampedValue<KnownSize>> all) {
    query.assertModelled(configuration, all);
    if (query.tellsAll()) {
      assertEquals(query.counted(configuration), Modelled.counted(all.iterator()));
    }
  }

  @Test
  void theDealtEventsAreThoseOfTheModels() {
    NexmarkConfiguration configuration = configuration();

    assertEquals(
        Plain.timed(NexmarkUtils.standardEventIterator(configuration)),
        Plain.timed(Dealt.generator(configuration)));
  }

  @Test
  void noBidOfTheModelsWinsAnAuctionThatHasEnded() {
    new Query9Model(configuration())
        .simulator()
        .results()
        .forEachRemaining(each ->
            assertTrue(
                each.getValue().bid.dateTime.isBefore(each.getValue().auction.expires),
                () -> "Take another rate of events, as the model is wrong: " + each));
  }

  @Test
  void filesOfAllWindowsAreWritten() {
    NexmarkConfiguration configuration = configuration();
    Query10 query = new Query10(configuration);
    query.setMaxNumWorkers(2);

    List<TimestampedValue<KnownSize>> results = run(configuration, query, dealt(configuration));

    assertEquals(Plain.done(configuration), Modelled.counted(results.iterator()));
  }

  @Test
  void sessionsOfUsersHaveTheirBids() {
    NexmarkConfiguration configuration = configuration();
    configuration.windowSizeSec = 1;

    List<TimestampedValue<KnownSize>> results =
        run(configuration, new Query11(configuration), dealt(configuration));

    Map<String, Long> sessions = Plain.sessions(configuration);
    assertTrue(sessions.size() > 500, () -> sessions.size() + " different results");
    assertEquals(sessions, Modelled.counted(results.iterator()));
  }

  @Test
  void panesOfSessionsHaveTheBidsThatTheyAreToHave() {
    NexmarkConfiguration configuration = configuration();
    configuration.windowSizeSec = 1;
    configuration.maxLogEvents = 5;

    List<TimestampedValue<KnownSize>> results =
        run(configuration, new Query11(configuration), dealt(configuration));

    assertEquals(Plain.bids(configuration), bids(results));
    long sessions = Plain.sessions(configuration).values().stream().mapToLong(each -> each).sum();
    long small =
        results.stream().filter(each -> session(each).path("bidsPerSession").asLong() < 5).count();
    assertTrue(small <= sessions, () -> small + " panes are too small, of " + sessions);
  }

  @Test
  void panesByProcessingTimeHaveAllBids() {
    NexmarkConfiguration configuration = configuration();

    List<TimestampedValue<KnownSize>> results =
        run(configuration, new Query12(configuration), dealt(configuration));

    assertEquals(Plain.bids(configuration), bids(results));
  }

  @Test
  void eventsThatAreGroupedByRandomKeysAreAllThere() {
    NexmarkConfiguration configuration = configuration();

    List<TimestampedValue<KnownSize>> results =
        run(
            configuration,
            new Query13(configuration),
            NexmarkUtils.batchEventsSource(configuration));

    assertEquals(Modelled.Q0.counted(configuration), Modelled.counted(results.iterator()));
  }

  @Test
  void eventsThatAreReshuffledAreAllThereWithTheirTimes() {
    NexmarkConfiguration configuration = configuration();

    List<TimestampedValue<KnownSize>> results =
        run(configuration, new Query14(configuration), dealt(configuration));

    assertEquals(
        Plain.timed(NexmarkUtils.standardEventIterator(configuration)),
        Plain.timed(results.iterator()));
  }

  private static Map<Long, Long> bids(List<TimestampedValue<KnownSize>> sessions) {
    Map<Long, Long> bids = new TreeMap<>();
    for (TimestampedValue<KnownSize> each : sessions) {
      JsonNode session = session(each);
      bids.merge(
          session.path("personId").asLong(), session.path("bidsPerSession").asLong(), Long::sum);
    }
    return bids;
  }

  /// The fields of a result, which only its text shows.
  private static JsonNode session(TimestampedValue<KnownSize> result) {
    try {
      return NexmarkUtils.MAPPER.readTree(result.getValue().toString());
    } catch (JsonProcessingException e) {
      throw new AssertionError(result.toString(), e);
    }
  }

  private static PTransform<PBegin, PCollection<Event>> dealt(NexmarkConfiguration configuration) {
    return Read.from(new Dealt(configuration, READERS, Dealt.Pace.FREE));
  }

  private static <T extends KnownSize> List<TimestampedValue<KnownSize>> run(
      NexmarkConfiguration configuration,
      NexmarkQueryTransform<T> query,
      PTransform<PBegin, PCollection<Event>> events) {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    "--runner=MillraceRunner",
                    "--jobName=nexmark",
                    "--parallelism=4",
                    "--settings=log=memory",
                    "--settings=http.port=-1")
                .create());
    NexmarkUtils.setupPipeline(configuration.coderStrategy, pipeline);
    if (query.needsSideInput()) {
      query.setSideInput(NexmarkUtils.prepareSideInput(pipeline, configuration));
    }
    Collected<T> collected = new Collected<>();
    pipeline
        .apply(events)
        .apply(new NexmarkQuery<>(configuration, query))
        .apply("Collect", ParDo.of(collected));

    assertEquals(State.DONE, pipeline.run().waitUntilFinish(PATIENCE));
    return collected.results();
  }
}
