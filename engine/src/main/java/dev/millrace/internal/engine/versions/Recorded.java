package dev.millrace.internal.engine.versions;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What the topic with an application's plans says, as far as it was read: under `plan/<hash>`
/// [descriptions][PlanDescription] of plans, of which the last is that of the state there is, and
/// under `start` where the application [begins][GivenStart], and under `deployment` whether a
/// [change is being rolled out][Deployment]. Used by one thread.
public final class Recorded {
  private static final String PLAN = "plan/";
  private static final String START = "start";

  /// The key of the change that is being rolled out.
  public static final String DEPLOYMENT = "deployment";

  /// By key, the plans that were not taken back, in the order in which each was recorded last.
  private final Map<String, PlanDescription> plans = new LinkedHashMap<>();

  private @Nullable PlanDescription plan;
  private GivenStart start = GivenStart.NONE;
  private @Nullable Deployment deployment;

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

  /// The [former][#former] plan as a process runs it beside the current one: with what only that
  /// one has parked. Null if no change is being rolled out.
  public @Nullable PlanDescription returned() {
    PlanDescription last = former();
    return last == null || plan == null ? null : last.returnedTo(plan);
  }

  void recorded(PlanDescription newPlan, @Nullable Deployment newDeployment) {
    plan = newPlan;
    plans.remove(key(newPlan));
    plans.put(key(newPlan), newPlan);
    deployment = newDeployment;
  }

  /// The plan that was recorded last of those that read other streams than the plan: processes that
  /// run it may still be there while they are replaced. Null if there is none.
  public @Nullable PlanDescription replaced() {
    PlanDescription now = plan;
    PlanDescription last = null;
    for (PlanDescription each : plans.values()) {
      if (now != null && !each.inputs().equals(now.inputs())) {
        last = each;
      }
    }
    return last;
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
    Bytes view = new Bytes();
    for (int i = 0; i < batch.size(); i++) {
      String key = batch.hasKey(i) ? text(batch.key(i, view)) : "";
      @Nullable String value = batch.hasValue(i) ? text(batch.value(i, view)) : null;
      try {
        if (key.startsWith(PLAN)) {
          notice(key, value);
        } else if (key.equals(START)) {
          start = value == null ? GivenStart.NONE : GivenStart.parse(value);
        } else if (key.equals(DEPLOYMENT)) {
          deployment = value == null ? null : Deployment.parse(value);
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
}
