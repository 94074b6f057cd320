package dev.millrace.internal.engine.lease;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/// What a process runs, and beside which others it can.
///
/// @param plan the hash of its plan; see [dev.millrace.internal.engine.plan.PlanDescription#hash]
/// @param inputs a number for the streams that it reads; see
///   [dev.millrace.internal.engine.plan.PlanDescription#inputsHash]
/// @param beside such numbers of other versions of the program, whose processes may run at the same
///   time while one version replaces the other
public record ProgramVersion(String plan, String inputs, Set<String> beside) {
  public ProgramVersion {
    beside = Collections.unmodifiableSet(new TreeSet<>(beside));
  }
}
