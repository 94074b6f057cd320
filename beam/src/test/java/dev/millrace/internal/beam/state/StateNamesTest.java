package dev.millrace.internal.beam.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import org.apache.beam.runners.core.StateTag;
import org.apache.beam.runners.core.StateTags;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.state.ValueState;
import org.junit.jupiter.api.Test;

/// The names under which states are stored, of which there may be many.
class StateNamesTest {
  private final StateNames names = new StateNames();

  private static StateTag<ValueState<Long>> ofUser(String id) {
    return StateTags.value(id, VarLongCoder.of());
  }

  private static String whole(StateTag<?> tag) throws IOException {
    StringBuilder all = new StringBuilder();
    tag.appendTo(all);
    return all.toString();
  }

  @Test
  void aNameIsWhatItsTagSays() throws IOException {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 1_000; i++) {
        StateTag<?> tag = ofUser("state-" + i);
        assertEquals(whole(tag), names.of(tag));
      }
    }
  }

  @Test
  void aUserMayCallAStateAsARunnerDoes() throws IOException {
    StateTag<?> user = ofUser("count");
    StateTag<?> runner = StateTags.makeSystemTagInternal(ofUser("count"));
    for (int round = 0; round < 2; round++) {
      assertEquals(whole(user), names.of(user));
      assertEquals(whole(runner), names.of(runner));
    }
    assertNotEquals(names.of(user), names.of(runner));
  }
}
