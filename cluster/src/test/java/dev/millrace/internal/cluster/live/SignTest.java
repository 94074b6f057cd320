package dev.millrace.internal.cluster.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.cluster.live.Sign.Phase;
import dev.millrace.internal.cluster.place.Bundles;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignTest {
  private static final Self SELF =
      new Self(
          "home",
          5,
          "disk",
          "host",
          "",
          1,
          1,
          2,
          "tasks",
          Bundles.of(List.of(0, 1)),
          Self.Running.UNKNOWN);

  private static Sign sign(Phase phase) {
    Report report = new Report(1, Report.State.OWNER, 4, -1, 2, 100);
    return new Sign(SELF, 9, phase, 7, 3, List.of(report));
  }

  private static byte[] written(Sign sign) {
    BytesWriter out = new BytesWriter();
    sign.write(out);
    return out.toByteArray();
  }

  @Test
  void eachPhaseIsReadAsItWasWritten() {
    for (Phase phase : Phase.values()) {
      assertEquals(sign(phase), Sign.read("home", Bytes.of(written(sign(phase)))));
    }
  }

  /// Former versions read what they know, and pass over what stands behind that.
  @Test
  void whoStopsIsToFormerVersionsOneThatLeaves() {
    byte[] stops = written(sign(Phase.STOPPING));
    byte[] leaves = written(sign(Phase.LEAVING));
    assertEquals(leaves.length + 1, stops.length);
    assertEquals(-1, Arrays.mismatch(leaves, 0, leaves.length, stops, 0, leaves.length));
  }
}
