package dev.millrace.internal.engine.versions;

import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.spi.settings.ChangeConfig;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a program goes on from what is recorded of an application: as the plan that was recorded
/// last, as the former one while a change is rolled out, or as a changed one that was accepted.
///
/// @param plan that is to run
/// @param before the plan whose numbers it keeps; null if it is the first
/// @param isNew whether the plan has to be recorded
/// @param writesFor the older plan that has to be able to read what is written; null if there is
///   none
/// @param unreadable what the plan before could not read of what this one writes, a clause for each
///   store and exchange: once this one is recorded, it cannot be returned to. Empty if it can
/// @param newInputs what the plan reads and the one before does not
record Admission(
    PlanDescription plan,
    @Nullable PlanDescription before,
    boolean isNew,
    @Nullable PlanDescription writesFor,
    List<String> unreadable,
    SortedSet<String> newInputs) {
  private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

  Admission {
    unreadable = List.copyOf(unreadable);
    newInputs = Collections.unmodifiableSortedSet(newInputs);
  }

  /// Compares a program with what is recorded.
  ///
  /// @param accepted the id of a change, [ChangeConfig#AUTO], or empty for none
  /// @throws PlanRefusedException if it does not go on from that
  static Admission of(String application, Program program, String accepted, Recorded recorded) {
    PlanDescription found = recorded.plan();
    PlanDescription former = recorded.former();
    PlanDescription now = program.plan(found);
    SortedSet<String> none = Collections.emptySortedSet();
    if (found == null || now.equals(found)) {
      return new Admission(now, found, found == null, former, List.of(), none);
    }
    if (former != null) {
      PlanDescription returned = former.returnedTo(found);
      if (program.plan(returned).equals(returned)) {
        requireNotClosing(application, recorded);
        return new Admission(returned, returned, false, null, List.of(), none);
      }
    }
    PlanDiff diff = program.diff(found, now);
    requireAccepted(application, diff, accepted);
    SortedSet<String> newInputs = new TreeSet<>(now.inputs());
    newInputs.removeAll(found.inputs());
    if (former != null && program.unreadable(found, former).isEmpty()) {
      return new Admission(now, found, true, former, List.of(), newInputs);
    }
    if (former != null && !former.hasFormatsOf(found)) {
      throw notFinalized(application, program.unreadable(found, former));
    }
    List<String> unreadable = program.unreadable(found, found);
    PlanDescription writesFor = unreadable.isEmpty() ? found : null;
    return new Admission(now, found, true, writesFor, unreadable, newInputs);
  }

  private static void requireNotClosing(String application, Recorded recorded) {
    Deployment open = recorded.deployment();
    if (open != null && open.closing()) {
      throw new PlanRefusedException(
          "The change of application '%1$s' is about to be finalized, so this version, the one before it, is not started. Start the new version; or, if the command was broken off, run 'millrace deploy finalize %1$s' or 'millrace deploy rollback %1$s' again."
              .formatted(application));
    }
  }

  private static void requireAccepted(String application, PlanDiff diff, String accepted) {
    if (diff.isNone() || diff.isGrowth()) {
      return;
    }
    if (!diff.isPossible()) {
      throw new PlanRefusedException(
          differs(application, diff)
              + "What is marked with x cannot be done with this state. Run the former topology, or"
              + " give the application another name to start without state, or, if its state may be"
              + " lost, see what 'millrace app reset "
              + application
              + " --to earliest' would do.",
          diff.isOfPartitions());
    }
    if (!accepts(diff, accepted)) {
      throw new PlanRefusedException(
          differs(application, diff)
              + diff.consequences()
              + " If that is what you want, start with --change.accept="
              + diff.id()
              + ". Otherwise run the former topology, or give the application another name to start"
              + " without state.");
    }
    LOG.info("Accepted: {}.", String.join("; ", diff.lines()));
  }

  /// Returns whether a start goes on with a change.
  ///
  /// @param accepted the id of a change, [ChangeConfig#AUTO], or empty for none
  static boolean accepts(PlanDiff diff, String accepted) {
    boolean auto = accepted.equals(ChangeConfig.AUTO) && diff.keepsMeaning();
    return diff.isNone()
        || diff.isGrowth()
        || (diff.isPossible() && (auto || diff.id().equals(accepted)));
  }

  private static String differs(String application, PlanDiff diff) {
    StringBuilder text =
        new StringBuilder(
            "The state of application '%s' was written by another plan, which this one changes:\n"
                .formatted(application));
    diff.lines().forEach(line -> text.append("  ").append(line).append('\n'));
    return text.toString();
  }

  private static PlanRefusedException notFinalized(String application, List<String> unreadable) {
    return new PlanRefusedException(
        "A change of application '%1$s' is being rolled out, and may be rolled back until it is finalized. The plan before it could not read %2$s as this program writes them. When all containers run the version that was deployed last, run 'millrace deploy finalize %1$s', and start this one again."
            .formatted(application, String.join(" and ", unreadable)));
  }
}
