package dev.millrace.internal.engine.versions;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What the topic with an application's plans says, as far as it was read: under `plan/<hash>`
/// [descriptions][PlanDescription] of plans, of which the last is that of the state there is, under
/// `start` where the application [begins][GivenStart], under `deployment` whether a [change is
/// being rolled out][Deployment], and under `called` its name and former ones. The topic that is
/// named after a later name of an application has only `stored as`, with the first one. Used by one
/// thread.
public final class Recorded {
  private static final String PLAN = "plan/";
  private static final String START = "start";
  private static final String CALLED = "called";
  private static final String STORED_AS = "stored as";

  /// The key of the change that is being rolled out.
  public static final String DEPLOYMENT = "deployment";

  /// By key, the plans that were not taken back, in the order in which each was recorded last.
  private final Map<String, PlanDescription> plans = new LinkedHashMap<>();

  private @Nullable PlanDescription plan;
  private GivenStart start = GivenStart.NONE;
  private @Nullable Deployment deployment;
  private List<String> names = List.of();
  private @Nullable String storedAs;
  private long readTo;

  /// Returns the offset up to which the topic was read; 0 if nothing was.
  long readTo() {
    return readTo;
  }

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

  /// The change that is being rolled out; null if there is none.
  public @Nullable Deployment deployment() {
    return deployment;
  }

  /// The plan that may be returned to while a change is rolled out; null if there is none.
  public @Nullable PlanDescription former() {
    Deployment open = deployment;
    return open == null || plan == null ? null : plans.get(PLAN + open.from());
  }

  /// Whether a change is being rolled out that is about to be finalized.
  public boolean isClosing() {
    Deployment open = deployment();
    return open != null && open.closing();
  }

  /// The [former][#former] plan as a process runs it beside the current one: with what only that
  /// one has parked. Null if no change is being rolled out.
  public @Nullable PlanDescription returned() {
    PlanDescription last = former();
    return last == null || plan == null ? null : last.returnedTo(plan);
  }

  /// Returns whether a plan is being rolled out in place of another one, so that it writes what
  /// that one can read, as it may be returned to.
  ///
  /// @param version of the newer plan
  /// @param older the other one, as the processes run it that were there before
  public boolean isRolledOut(long version, PlanDescription older) {
    PlanDescription last = former();
    return plan != null && plan.version() == version && older.equals(last);
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

  void recorded(PlanDescription newPlan, @Nullable Deployment newDeployment) {
    plan = newPlan;
    plans.remove(key(newPlan));
    plans.put(key(newPlan), newPlan);
    deployment = newDeployment;
  }

  /// Returns the plans that were not taken back, by their hashes.
  public Map<String, PlanDescription> byHash() {
    Map<String, PlanDescription> found = new TreeMap<>();
    plans.values().forEach(each -> found.put(each.hash(), each));
    PlanDescription returned = returned();
    if (returned != null) {
      found.put(returned.hash(), returned);
    }
    return found;
  }

  /// The keys of all plans that were not taken back.
  public Set<String> plans() {
    return Collections.unmodifiableSet(plans.keySet());
  }

  /// Returns the numbers of these plans, by which commits name them.
  public Set<Long> versions() {
    Set<Long> versions = new TreeSet<>();
    plans.values().forEach(each -> versions.add(each.version()));
    return Collections.unmodifiableSet(versions);
  }

  /// Takes over the records of a batch.
  ///
  /// @throws PlanRefusedException if one of them cannot be read
  void notice(RecordBatch batch) {
    notice(batch, Long.MAX_VALUE);
  }

  /// Takes over the records of a batch that lie before an offset. Where that is a stable end, a
  /// transaction is taken over as a whole or not at all: a plan is never seen without what was
  /// recorded with it.
  ///
  /// @throws PlanRefusedException if one of them cannot be read
  void notice(RecordBatch batch, long end) {
    readTo = Math.min(batch.nextOffset(), end);
    Bytes view = new Bytes();
    for (int i = 0; i < batch.size() && batch.offset(i) < end; i++) {
      String key = batch.hasKey(i) ? text(batch.key(i, view)) : "";
      @Nullable String value = batch.hasValue(i) ? text(batch.value(i, view)) : null;
      try {
        if (key.startsWith(PLAN)) {
          notice(key, value);
        } else if (key.equals(START)) {
          start = value == null ? GivenStart.NONE : GivenStart.parse(value);
        } else if (key.equals(DEPLOYMENT)) {
          deployment = value == null ? null : Deployment.parse(value);
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
      PlanDescription read = PlanDescription.parse(value);
      plan = read;
      plans.remove(key);
      plans.put(key, read);
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

  /// A record as it is written.
  ///
  /// @param deployment null if none is open any more
  /// @param millis since 1970
  static RecordBatch record(Split split, @Nullable Deployment deployment, long millis) {
    return record(split, DEPLOYMENT, deployment == null ? null : deployment.text(), millis);
  }

  /// A record as it is written.
  ///
  /// @param millis since 1970
  static RecordBatch record(Split split, PlanDescription plan, long millis) {
    return record(split, key(plan), plan.text(), millis);
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
