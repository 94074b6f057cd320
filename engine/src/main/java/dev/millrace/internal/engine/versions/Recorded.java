package dev.millrace.internal.engine.versions;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What the topic with an application's plans says, as far as it was read: under `plan/<hash>`
/// [descriptions][PlanDescription] of plans, of which the last is that of the state there is, under
/// `start` where the application [begins][GivenStart], and under `called` its name and former ones.
/// The topic that is named after a later name of an application has only `stored as`, with the
/// first one. Used by one thread.
public final class Recorded {
  private static final String PLAN = "plan/";
  private static final String START = "start";
  private static final String CALLED = "called";
  private static final String STORED_AS = "stored as";

  /// By key, the numbers of the plans that were not taken back.
  private final Map<String, Long> plans = new TreeMap<>();

  private @Nullable PlanDescription plan;
  private GivenStart start = GivenStart.NONE;
  private List<String> names = List.of();
  private @Nullable String storedAs;

  /// The key of a plan's description.
  static String key(PlanDescription plan) {
    return PLAN + plan.hash();
  }

  /// The plan by which the state there is was made; null if there is none.
  public @Nullable PlanDescription plan() {
    return plan;
  }

  /// Where it was told to begin.
  public GivenStart start() {
    return start;
  }

  /// Returns what the application in this storage is called, followed by its former names, the last
  /// one first; empty if it was never renamed.
  public List<String> names() {
    return names;
  }

  /// Returns the name under which the application of this name is stored; null if that is its own.
  public @Nullable String storedAs() {
    return storedAs;
  }

  /// Returns whether something of an application is recorded here, and not only another name of it.
  public boolean isStorage() {
    return !plans.isEmpty() || !start.equals(GivenStart.NONE) || !names.isEmpty();
  }

  void recorded(PlanDescription newPlan) {
    plan = newPlan;
    plans.put(key(newPlan), newPlan.version());
  }

  /// The keys of all plans that were not taken back.
  public Set<String> plans() {
    return Collections.unmodifiableSet(plans.keySet());
  }

  /// Returns the numbers of these plans, by which commits name them.
  public Set<Long> versions() {
    return Collections.unmodifiableSet(new TreeSet<>(plans.values()));
  }

  /// Takes over the records of a batch.
  ///
  /// @throws PlanRefusedException if one of them cannot be read
  void notice(RecordBatch batch) {
    Bytes view = new Bytes();
    for (int i = 0; i < batch.size(); i++) {
      String key = batch.hasKey(i) ? text(batch.key(i, view)) : "";
      @Nullable String value = batch.hasValue(i) ? text(batch.value(i, view)) : null;
      try {
        if (key.startsWith(PLAN)) {
          notice(key, value);
        } else if (key.equals(START)) {
          start = value == null ? GivenStart.NONE : GivenStart.parse(value);
        } else if (key.equals(CALLED)) {
          names = value == null ? List.of() : List.of(value.split(" ", -1));
        } else if (key.equals(STORED_AS)) {
          storedAs = value;
        }
      } catch (IllegalArgumentException e) {
        throw new PlanRefusedException(
            "The record of %s at offset %d cannot be read by this version. %s"
                .formatted(batch.split(), batch.offset(i), e.getMessage()));
      }
    }
  }

  private void notice(String key, @Nullable String value) {
    if (value == null) {
      plans.remove(key);
      plan = null;
    } else {
      recorded(PlanDescription.parse(value));
    }
  }

  private static String text(Bytes bytes) {
    return new String(bytes.array(), bytes.offset(), bytes.length(), StandardCharsets.UTF_8);
  }

  /// A record as it is written.
  ///
  /// @param value null to take the key back
  /// @param millis since 1970
  public static RecordBatch record(Split split, String key, @Nullable String value, long millis) {
    RecordBatch batch = RecordBatch.create().reset(split, new byte[0], 0);
    batch.append(0, Math.max(0, millis));
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    batch.key(bytes, 0, bytes.length);
    if (value != null) {
      int start = batch.data().length();
      batch.data().write(value.getBytes(StandardCharsets.UTF_8));
      batch.endValue(start);
    }
    return batch;
  }

  /// A record as it is written.
  ///
  /// @param millis since 1970
  public static RecordBatch record(Split split, GivenStart start, long millis) {
    return record(split, START, start.text(), millis);
  }

  /// Returns the record that says what an application is called.
  ///
  /// @param names that one, and former ones
  /// @param millis since 1970
  public static RecordBatch named(Split split, List<String> names, long millis) {
    return record(split, CALLED, String.join(" ", names), millis);
  }

  /// Returns the record that says where the application of a later name is stored.
  ///
  /// @param millis since 1970
  public static RecordBatch storedAs(Split split, String storage, long millis) {
    return record(split, STORED_AS, storage, millis);
  }
}
