package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.job.EachOperator.Form;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A stream's record without a value is bad input where it is read, whatever is behind that. So is
/// a value that is null because a function gave that, for whatever is no function.
class RecordsWithoutValueTest {
  private static final Form<String> TEXTS =
      new Form<>(Serdes.string(), text -> text, Objects::requireNonNull, text -> text);
  private static final Form<Bytes> BYTES =
      new Form<>(
          Kafka.source("any").bytes().valueSerde(), Bytes::ofUtf8, Bytes::toUtf8, bytes -> bytes);
  private static final EachOperator<String, String> EACH = new EachOperator<>(TEXTS, TEXTS);
  private static final Set<String> STREAMS = Set.of(EachOperator.IN, EachOperator.OTHER);
  private static final int HOW_MANY = 3;

  /// Behind which records one comes.
  private static boolean some(int record) {
    return record % 5 == 2;
  }

  static Stream<String> operators() {
    return EACH.all().keySet().stream().filter(name -> !name.startsWith("from, with deletions"));
  }

  static Stream<String> operatorsWithKeys() {
    return operators().filter(name -> !name.contains("without keys"));
  }

  private static TestJob job(StreamApplication application, OnError policy, int batch) {
    return TestJob.of(application)
        .shaped(Shape.standard().withPartitions(1).withBatch(batch))
        .onError(policy);
  }

  private static int streams(TestJob job) {
    Set<String> streams = new HashSet<>(job.described().sources());
    streams.retainAll(STREAMS);
    return streams.size();
  }

  private static Results results(String operator, TestJob job, Feed feed) {
    feed.send(job);
    job.process();
    // What these have in between depends on which records are read together.
    boolean onlyLatest =
        operator.contains("of tables")
            || operator.contains("by a foreign key")
            || operator.equals("table of a stream, groupBy, aggregate")
            || operator.equals("process with timers");
    return Results.of(
        job, onlyLatest ? Results.Counting.LATEST : Results.Counting.WHAT_IS_DETERMINED);
  }

  @ParameterizedTest
  @MethodSource("operators")
  void theyAreDeadLettersAndTheRestIsAsIfTheyWereNotThere(String operator) {
    for (int batch : new int[] {1, 4}) {
      for (EachOperator<?, ?> each : List.of(EACH, new EachOperator<>(BYTES, BYTES))) {
        StreamApplication application = each.application(operator);
        try (TestJob without = job(application, OnError.FAIL, batch);
            TestJob job = job(application, OnError.DEAD_LETTER, batch)) {
          Results expected = results(operator, without, Feed.inOrder());
          Results found =
              results(
                  operator, job, Feed.inOrder().with(STREAMS, RecordsWithoutValueTest::some, null));
          assertEquals("", found.differences(expected), "batches of " + batch);
          assertEquals(streams(job) * HOW_MANY, job.deadLetters().size());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("operators")
  void orTheyStopTheJob(String operator) {
    try (TestJob job = job(EACH.application(operator), OnError.FAIL, 4)) {
      if (streams(job) > 0) {
        Feed.inOrder().with(STREAMS, RecordsWithoutValueTest::some, null).send(job);
        String failure = job.failure();
        assertTrue(failure.contains("in:0:3") || failure.contains("other:0:3"), failure);
        assertTrue(failure.contains("The record has no value"), failure);
      }
    }
  }

  /// One that a sample by keys leaves out goes with its key.
  @ParameterizedTest
  @MethodSource("operatorsWithKeys")
  void soAreTheNullsOfFunctions(String operator) {
    EachOperator<String, String> nulls =
        new EachOperator<>(TEXTS, TEXTS, value -> value.equals("nothing") ? null : value);
    Set<String> in = Set.of(EachOperator.IN);
    for (int batch : new int[] {1, 4}) {
      try (TestJob without = job(EACH.application(operator), OnError.FAIL, batch);
          TestJob job = job(nulls.application(operator), OnError.DEAD_LETTER, batch)) {
        Results expected = results(operator, without, Feed.inOrder());
        Results found =
            results(
                operator, job, Feed.inOrder().with(in, RecordsWithoutValueTest::some, "nothing"));
        assertEquals("", found.differences(expected), "batches of " + batch);
        int all = job.described().sources().containsAll(in) ? HOW_MANY : 0;
        int letters = job.deadLetters().size();
        boolean samples = operator.contains("sample") || operator.contains("share");
        assertTrue(samples ? letters <= all : letters == all, () -> letters + " dead letters");
      }
    }
  }
}
