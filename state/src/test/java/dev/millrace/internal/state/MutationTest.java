package dev.millrace.internal.state;

import static dev.millrace.internal.state.TaskStates.LISTS;
import static dev.millrace.internal.state.TaskStates.collect;
import static dev.millrace.internal.state.TaskStates.commit;
import static dev.millrace.internal.state.TaskStates.commitAndFlush;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Objects changed without being put again; tests run with assertions on.
final class MutationTest {
  private final TaskState state = TaskStates.open(new FakeDisk(), LISTS);
  private final CachedStore<String, List<Integer>> lists = state.store(1);

  @Test
  void anObjectChangedAfterItsCommitIsNamed() {
    List<Integer> list = new ArrayList<>(List.of(1));
    lists.put("k", list);
    commit(state);
    list.add(2);
    AssertionError found = assertThrows(AssertionError.class, () -> collect(state));
    for (String part : List.of("'lists'", "key 6b", "2-5", "without a put")) {
      assertTrue(found.getMessage().contains(part), found.getMessage());
    }
  }

  @Test
  void anObjectChangedAfterItWasReadIsNamed() {
    lists.put("k", List.of(1));
    commitAndFlush(state);
    state.rollBack();
    lists.get("k").set(0, 7);
    assertThrows(AssertionError.class, () -> collect(state));
  }

  @Test
  void anObjectChangedAndPutAgainIsFine() {
    lists.put("k", new ArrayList<>(List.of(1)));
    commit(state);
    List<Integer> list = lists.get("k");
    list.add(2);
    lists.put("k", list);
    assertEquals(List.of("00016b=0000000100000002"), collect(state));
  }

  @Test
  void oneOfManyIsFoundWithinAFewCommits() {
    for (int i = 0; i < 5_000; i++) {
      lists.put("k" + i, new ArrayList<>(List.of(i)));
    }
    commit(state);
    lists.get("k4321").add(1);
    int commits = 0;
    boolean found = false;
    while (!found && commits++ < 30) {
      try {
        commit(state);
      } catch (AssertionError changed) {
        found = changed.getMessage().contains(Bytes.ofUtf8("k4321").toString());
      }
    }
    assertTrue(found, "the changed object was not found in " + commits + " commits");
  }

  @Test
  void aSerdeWithSeveralEncodingsAccusesNobody() {
    AtomicInteger salt = new AtomicInteger();
    Serde<String> salted =
        new Serde<>() {
          @Override
          public String id() {
            return "salted";
          }

          @Override
          public void write(String value, BytesWriter out) {
            out.writeInt(salt.incrementAndGet());
            TestSerdes.STRING.write(value, out);
          }

          @Override
          public String read(Bytes in) {
            return in.toUtf8().substring(4);
          }
        };
    TaskState other =
        TaskStates.open(new FakeDisk(), StoreSpec.keyValue("salted", TestSerdes.STRING, salted));
    CachedStore<String, String> store = other.store(1);
    store.put("k", "v");
    commit(other);
    commit(other);
    assertEquals("v", store.get("k"));
  }

  @Test
  void aSerdeThatSwitchesToAnotherFormatAccusesNobody() {
    AtomicInteger format = new AtomicInteger(1);
    Switching serde = new Switching(format);
    TaskState other =
        TaskStates.open(new FakeDisk(), StoreSpec.keyValue("s", TestSerdes.STRING, serde));
    CachedStore<String, List<Integer>> store = other.store(1);
    List<Integer> changed = new ArrayList<>(List.of(1));
    store.put("k", changed);
    commit(other);
    format.set(2);
    commit(other);
    changed.add(2);
    assertThrows(AssertionError.class, () -> collect(other));
  }

  /// Writes its format in front of the elements.
  private record Switching(AtomicInteger format) implements SwitchingSerde<List<Integer>> {
    @Override
    public String id() {
      return "switching";
    }

    @Override
    public Serde<List<Integer>> later() {
      return new Switching(new AtomicInteger(2));
    }

    @Override
    public void write(List<Integer> value, BytesWriter out) {
      out.writeInt(format.get());
      value.forEach(out::writeInt);
    }

    @Override
    public List<Integer> read(Bytes in) {
      List<Integer> all = new ArrayList<>();
      for (int at = Integer.BYTES; at < in.length(); at += Integer.BYTES) {
        all.add((int) in.array()[in.offset() + at + Integer.BYTES - 1]);
      }
      return all;
    }
  }
}
