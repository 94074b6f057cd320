package dev.millrace.benchmarks.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.spi.Log;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WithoutChangelogTest {
  private final List<String> sent = new ArrayList<>();
  private int released;

  @Test
  void ofTheChangelogOnlyCommitRecordsPassAndAllElseDoes() {
    TransactionalWriter writer =
        new WithoutChangelog(log(), "job-changelog").writer("job.0", Duration.ofSeconds(1));
    Split changelog = new Split("job-changelog", 3);
    writer.send(changelog, batch(changelog, Bytes.ofUtf8("a"), CommitRecord.KEY));
    writer.send(changelog, batch(changelog, Bytes.ofUtf8("b")));
    Split sink = new Split("out", 0);
    writer.send(sink, batch(sink, Bytes.ofUtf8("c")));
    assertEquals(List.of("job-changelog-3 [0, 0]=1", "out-0 [99]=0"), sent);
    assertEquals(2, released, "batches that were not handed on");
  }

  private RecordBatch batch(Split to, Bytes... keys) {
    RecordBatch batch = new RecordBatch(_ -> released++, 4, 64).reset(to, new byte[0], 0);
    for (int i = 0; i < keys.length; i++) {
      batch.append(i, 0);
      batch.key(keys[i].array(), keys[i].offset(), keys[i].length());
      batch.value(new byte[] {(byte) i}, 0, 1);
    }
    return batch;
  }

  private Log log() {
    TransactionalWriter writer =
        fake(
            TransactionalWriter.class,
            arguments -> {
              RecordBatch batch = (RecordBatch) arguments[1];
              for (int i = 0; i < batch.size(); i++) {
                sent.add(
                    "%s %s=%d"
                        .formatted(
                            arguments[0],
                            Arrays.toString(batch.key(i, new Bytes()).toByteArray()),
                            batch.value(i, new Bytes()).get(0)));
              }
              return null;
            });
    return fake(Log.class, _ -> writer);
  }

  private interface Answer {
    Object to(Object[] arguments);
  }

  /// Answers every call in the same way; only one method of each is called here.
  private static <T> T fake(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (_, _, args) -> answer.to(args)));
  }
}
