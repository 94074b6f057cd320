package dev.millrace.internal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.StoreSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The records of a changelog, which are also the entries of a disk, as bytes: the number of the
/// store in two bytes and the key; the value, behind the time at which it expires if it has one.
class ChangelogFormatTest {
  @Test
  void entriesAreWrittenAsTheyAlwaysWere() {
    StoreSpec<String, String> lasting =
        StoreSpec.keyValue("lasting", TestSerdes.STRING, TestSerdes.STRING)
            .withTimeToLive(Duration.ofMillis(0x100));
    TaskState state = TaskStates.open(new FakeDisk(), TaskStates.TEXTS, lasting, TaskStates.COUNTS);
    state.clock(0x1000);
    state.<String, String>store(1).put("ab", "value");
    state.<String, String>store(1).put("gone", "x");
    state.<String, String>store(1).delete("gone");
    state.<String, String>store(2).put("ab", "value");
    state.<Long, Long>store(3).put(5L, -1L);
    List<String> changes = new ArrayList<>();
    state.collect((key, value) ->
        changes.add(
            HexFormat.of().formatHex(key.toByteArray())
                + " "
                + (value == null ? "-" : HexFormat.of().formatHex(value.toByteArray()))));
    changes.sort(null);
    assertEquals(
        List.of(
            "00016162 76616c7565",
            "0001676f6e65 -",
            "00026162 000000000000110076616c7565",
            "00038000000000000005 7fffffffffffffff"),
        changes);
  }
}
