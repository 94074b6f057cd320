package dev.millrace.benchmarks.nexmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.nexmark.app.GeneratedEvents;
import dev.millrace.benchmarks.nexmark.app.NexmarkApplication;
import dev.millrace.benchmarks.nexmark.app.TopicResults;
import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.benchmarks.nexmark.generator.Settings;
import dev.millrace.benchmarks.nexmark.oracle.Oracles;
import dev.millrace.benchmarks.nexmark.query.Queries;
import dev.millrace.benchmarks.nexmark.query.Query;
import dev.millrace.testkit.job.Harsh;
import dev.millrace.testkit.job.TestJob;
import dev.millrace.testkit.job.TestRecord;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueriesTest {
  private static final int SPLITS = 4;

  /// Queries with so many results that a look at all of them takes its time.
  private static final List<String> WITH_MANY_RESULTS = List.of("q16", "q19");

  /// A hundred seconds around midnight.
  private static final Generator EVENTS =
      new Generator(new Settings(7, 50_000, 500, Instant.parse("2015-07-14T23:59:15Z")));

  private static final Generator MORE_EVENTS =
      new Generator(new Settings(7, 100_000, 1_000, Instant.parse("2015-07-14T23:59:15Z")));

  private static final Generator FEWER_EVENTS =
      new Generator(new Settings(7, 20_000, 200, Instant.parse("2015-07-14T23:59:15Z")));

  /// One a second, so that windows have few of them and results tie.
  private static final Generator SPARSE_EVENTS =
      new Generator(new Settings(8, 3_000, 1, Instant.parse("2015-07-14T23:30:00Z")));

  private static final Generator FEW_EVENTS =
      new Generator(new Settings(7, 300, 10, Instant.parse("2015-07-14T23:59:45Z")));

  @ParameterizedTest
  @MethodSource("idsOfFewResults")
  void aQueryGivesWhatPlainJavaAndADatabaseGive(String id) throws SQLException, IOException {
    check(id, Queries.of(id), EVENTS, sql(EVENTS));
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.benchmarks.nexmark.query.Queries#ids")
  void soDoAllOfEventsThatAreFarApart(String id) throws SQLException, IOException {
    check(id, Queries.of(id), SPARSE_EVENTS, sql(SPARSE_EVENTS));
  }

  static List<String> idsOfFewResults() {
    return Queries.ids().stream().filter(id -> !WITH_MANY_RESULTS.contains(id)).toList();
  }

  @ParameterizedTest
  @FieldSource("WITH_MANY_RESULTS")
  void soDoThoseWithManyResults(String id) throws SQLException, IOException {
    check(id, Queries.of(id), FEWER_EVENTS, sql(FEWER_EVENTS));
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.benchmarks.nexmark.query.Queries#ids")
  @Tag("thorough") // the same of more events
  void soDoAllOfMoreEvents(String id) throws SQLException, IOException {
    check(id, Queries.of(id), MORE_EVENTS, sql(MORE_EVENTS));
  }

  private static final Map<Generator, SqlAnswers> DATABASES = new HashMap<>();

  private static SqlAnswers sql(Generator events) throws SQLException {
    SqlAnswers known = DATABASES.get(events);
    if (known == null) {
      known = new SqlAnswers(events);
      DATABASES.put(events, known);
    }
    return known;
  }

  @AfterAll
  static void closeDatabases() throws SQLException {
    for (SqlAnswers each : DATABASES.values()) {
      each.close();
    }
    DATABASES.clear();
  }

  private static <R> void check(String id, Query<R> query, Generator events, SqlAnswers sql)
      throws SQLException, IOException {
    Net found = found(id, query, events);
    Net plain = new Net();
    Oracles.<R>answer(id, events, result -> plain.add(query.fingerprint(result), result, false));
    Net answered = sql.answer(id);
    assertTrue(found.size() > 0, "there are results");
    if (id.equals("q12")) {
      // Its windows are those in which the events happened to come.
      assertEquals(plain.sum(), found.sum());
      assertEquals(answered.sum(), found.sum());
      return;
    }
    assertEquals(List.of(), found.differences(plain), "beside plain Java");
    assertEquals(List.of(), found.differences(answered), "beside the database");
  }

  private static <R> Net found(String id, Query<R> query, Generator events) {
    TopicResults<R> results = new TopicResults<>(query, id);
    Net net = new Net();
    try (TestJob job =
        TestJob.of(
            new NexmarkApplication<>(
                "nexmark-" + id,
                query,
                topology -> new GeneratedEvents(topology, events, SPLITS),
                results))) {
      for (TestRecord<?, R> record : job.output(results.topic()).records()) {
        R result = Objects.requireNonNull(record.value());
        net.add(query.fingerprint(result), result, record.retraction());
      }
    }
    return net;
  }

  /// Of each way to answer one: table join, timers, windows over windows, sessions, table.
  @ParameterizedTest
  @ValueSource(strings = {"q3", "q5", "q9", "q11", "q18"})
  void neitherBatchesNorMemoryNorCrashesAreSeenInResults(String id) {
    harsh(id, Queries.of(id));
  }

  private static <R> void harsh(String id, Query<R> query) {
    Harsh.of(
            new NexmarkApplication<>(
                "nexmark-" + id,
                query,
                topology -> new GeneratedEvents(topology, FEW_EVENTS, SPLITS),
                new TopicResults<>(query, id)),
            _ -> {})
        .check();
  }
}
