package dev.millrace.internal.engine.versions;

import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A program that is to run.
@FunctionalInterface
public interface Program {
  /// Returns its plan. A pure function.
  ///
  /// @param before the plan that was recorded before it, whose numbers it keeps; null if there is
  ///   none
  PlanDescription plan(@Nullable PlanDescription before);

  /// Returns what becomes of the state.
  ///
  /// @param now what [#plan] gave for `before`
  default PlanDiff diff(PlanDescription before, PlanDescription now) {
    return PlanDiff.between(before, now);
  }

  /// Returns what a program with an older plan could not read of what this one writes, however it
  /// writes it: a clause for each store and exchange.
  ///
  /// @param before what was given to [#plan]
  /// @param older a plan that was recorded before
  default List<String> unreadable(PlanDescription before, PlanDescription older) {
    return List.of();
  }
}
