package dev.millrace.benchmarks.nexmark.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.benchmarks.nexmark.generator.Settings;
import dev.millrace.benchmarks.nexmark.peer.NexmarkWork.Measured;
import dev.millrace.benchmarks.nexmark.peer.NexmarkWork.Topics;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NexmarkWorkTest {
  private static NexmarkWork work(Topics topics) {
    return new NexmarkWork(
        "run-1",
        "q5",
        new Settings(1, 2, 3, Instant.ofEpochMilli(4)),
        topics,
        "host:9092",
        Path.of("run-1", "state"),
        Path.of("run-1", "saved"),
        2,
        4,
        5,
        new Measured(1, 6));
  }

  @Test
  void argumentsSayAllOfIt() {
    for (Topics topics : new Topics[] {Topics.NONE, new Topics("in", "out")}) {
      NexmarkWork work = work(topics);
      assertEquals(work, NexmarkWork.of(work.arguments().toArray(String[]::new)));
    }
  }

  @Test
  void aRehearsalHasNothingButItsInputInCommonWithTheRun() {
    NexmarkWork work = work(new Topics("in", "out"));
    NexmarkWork rehearsal = work.rehearsal();
    assertEquals(work.events(), rehearsal.events());
    assertEquals(new Topics("in", "out-rehearsal"), rehearsal.topics());
    assertEquals(Path.of("run-1", "state-rehearsal"), rehearsal.state());
    assertEquals(Path.of("run-1", "saved-rehearsal"), rehearsal.saved());
    assertEquals("run-1-rehearsal", rehearsal.name());
  }

  @Test
  void eventsThatAreMadeOutlastTheRehearsal() {
    NexmarkWork rehearsal = work(Topics.NONE).rehearsal();
    assertEquals(50_000_000, rehearsal.events().events());
    assertEquals(work(Topics.NONE).events().withEvents(50_000_000), rehearsal.events());
  }

  @Test
  void aWrittenResultBeginsWithWhatIsChecked() {
    ByteBuffer result = ByteBuffer.allocate(WrittenResult.HEAD_BYTES + 2);
    WrittenResult.head(result, true, -5);
    result.put((byte) 9);
    assertEquals(true, WrittenResult.isRetraction(result.array()));
    assertEquals(-5, WrittenResult.fingerprint(result.array()));
    assertEquals(9, result.get(WrittenResult.HEAD_BYTES));
  }
}
