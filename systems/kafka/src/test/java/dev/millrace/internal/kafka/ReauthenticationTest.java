package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A broker has its clients log in again every two seconds, over the connections that they have.
@Tag("thorough")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReauthenticationTest {
  private static final Duration SESSION = Duration.ofSeconds(2);
  private static final Duration LOAD = Duration.ofSeconds(8);

  /// Of the reader's connection and the writer's alone there are more in this time.
  private static final int LEAST = 6;

  private static final String USER = "miller";

  /// The official producer tries on for so long after it was not let in.
  private static final Map<String, String> IMPATIENT =
      Map.of(
          "request.timeout.ms", "3000",
          "delivery.timeout.ms", "8000",
          "max.block.ms", "4000");

  private SecureBroker broker;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    broker = new SecureBroker(directory, SESSION);
  }

  @AfterAll
  void end() {
    broker.close();
  }

  private LogBench bench(DataPlane plane, boolean tls, String user) throws Exception {
    broker.password(user, "first");
    Map<String, String> properties = broker.properties(tls, user, "first");
    properties.putAll(IMPATIENT);
    return new LogBench(broker.servers(tls), plane, properties);
  }

  @ParameterizedTest
  @EnumSource
  void workGoesOnThroughManyLogins(DataPlane plane) throws Exception {
    workGoesOn(plane, false);
  }

  @Test
  void workGoesOnThroughManyLoginsOverTls() throws Exception {
    workGoesOn(DataPlane.DIRECT, true);
  }

  private void workGoesOn(DataPlane plane, boolean tls) throws Exception {
    try (LogBench bench = bench(plane, tls, USER)) {
      List<Split> splits = bench.splits(2, Map.of());
      String group = LogBench.uniqueName("group");
      TransactionalWriter writer = bench.openWriter();
      SplitReader reader = bench.reader();
      splits.forEach(split -> reader.add(split, Position.of(0)));
      List<List<String>> sent = List.of(new ArrayList<>(), new ArrayList<>());
      List<List<String>> read = List.of(new ArrayList<>(), new ArrayList<>());
      double before = broker.reauthentications(tls);
      long start = System.nanoTime();
      int number = 0;
      for (; System.nanoTime() - start < LOAD.toNanos(); number++) {
        for (int i = 0; i < splits.size(); i++) {
          String value = number + "." + i + "x".repeat(1_000);
          writer.send(splits.get(i), bench.batch(value, "second " + value));
          sent.get(i).addAll(List.of(value, "second " + value));
        }
        writer.sendPositions(group, Map.of(splits.getFirst(), Position.of(number)));
        LogBench.commit(writer);
        take(reader, splits, read);
      }
      assertTrue(number > 20, "Too few transactions: " + number);
      double reauthentications = broker.reauthentications(tls) - before;
      assertTrue(reauthentications >= LEAST, () -> "Too few logins: " + reauthentications);
      LogBench.await(
          "all is read",
          () -> {
            take(reader, splits, read);
            return read.get(0).size() >= sent.get(0).size()
                && read.get(1).size() >= sent.get(1).size();
          });
      assertEquals(sent, read);
      assertEquals(Map.of(splits.getFirst(), number - 1L), bench.log.committedPositions(group));
    }
  }

  private static void take(SplitReader reader, List<Split> splits, List<List<String>> read) {
    RecordBatch batch = reader.poll(Duration.ofMillis(10));
    if (batch != null) {
      List<String> values = read.get(splits.indexOf(batch.split()));
      for (int i = 0; i < batch.size(); i++) {
        values.add(batch.value(i, new Bytes()).toUtf8());
      }
      batch.release();
    }
  }

  /// An operator gives the user another password, and forgets to tell the job.
  @ParameterizedTest
  @EnumSource
  void aPasswordThatWasChangedIsToldAsSuch(DataPlane plane) throws Exception {
    String user = "forgotten-" + plane;
    try (LogBench bench = bench(plane, false, user)) {
      Split split = bench.split();
      TransactionalWriter writer = bench.openWriter();
      bench.write(writer, split, "before");
      SplitReader reader = bench.reader();
      reader.add(split, Position.of(0));
      LogBench.next(reader).release();
      broker.password(user, "second");
      LogException[] failure = {null};
      LogBench.await("reading is refused", () -> (failure[0] = refused(reader)) != null);
      assertTold(failure[0]);
      LogBench.await(
          "writing is refused", () -> (failure[0] = refused(plane, bench, writer, split)) != null);
      assertTold(failure[0]);
    }
  }

  private static void assertTold(LogException failure) {
    assertEquals(Kind.REFUSED, failure.kind(), failure::getMessage);
    assertTrue(failure.getMessage().contains("sasl.jaas.config"), failure::getMessage);
  }

  private static LogException refused(SplitReader reader) {
    try {
      RecordBatch batch = reader.poll(Duration.ofMillis(20));
      if (batch != null) {
        batch.release();
      }
      return null;
    } catch (LogException e) {
      return e.kind() == Kind.UNAVAILABLE ? null : e;
    }
  }

  /// Does as an engine: what is not committed is begun again by opening the writer.
  private static LogException refused(
      DataPlane plane, LogBench bench, TransactionalWriter writer, Split split) {
    writer.send(split, bench.batch("after"));
    writer.commit();
    return switch (LogBench.outcome(writer)) {
      case COMMITTED -> null;
      case ABORTED, UNKNOWN -> {
        // The official producer keeps to itself why nobody takes its records.
        assertTrue(
            plane == DataPlane.OFFICIAL || writer.failure().contains("sasl.jaas.config"),
            writer::failure);
        LogException[] failure = {null};
        LogBench.await(
            "the writer is open, or never will be",
            () -> {
              try {
                writer.open();
                return true;
              } catch (LogException e) {
                failure[0] = e.kind() == Kind.UNAVAILABLE ? null : e;
                return failure[0] != null;
              }
            });
        yield failure[0];
      }
      case FENCED, OPEN, PENDING -> throw new AssertionError(writer.failure());
    };
  }
}
