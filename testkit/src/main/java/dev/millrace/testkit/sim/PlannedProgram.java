package dev.millrace.testkit.sim;

import dev.millrace.internal.engine.plan.Formats;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.engine.versions.Program;
import dev.millrace.internal.engine.versions.VersionLog;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A program that is to be admitted.
final class PlannedProgram implements Program {
  private final Cluster cluster;
  private final Map<Long, Integer> versions;
  final TopologyGraph graph;
  private final int version;

  /// @param versions gets the version of each plan, by its number, which what is parked is no part
  ///   of
  PlannedProgram(RolloutProgram program, Cluster cluster, Map<Long, Integer> versions) {
    this.cluster = cluster;
    this.versions = versions;
    version = program.version();
    graph = cluster.described(program);
  }

  private Plan after(@Nullable PlanDescription before) {
    return cluster.planned(graph, before);
  }

  @Override
  public PlanDescription plan(@Nullable PlanDescription before) {
    PlanDescription plan = after(before).description();
    versions.put(plan.version(), version);
    return plan;
  }

  @Override
  public PlanDiff diff(PlanDescription before, PlanDescription now) {
    return PlanDiff.between(before, now, Formats.of(after(before)));
  }

  @Override
  public List<String> unreadable(PlanDescription before, PlanDescription older) {
    return after(before).writingFor(older).written().obstacles();
  }

  /// The plan that a container is started with.
  Plan admitted(VersionLog admitting) {
    Plan plan = after(admitting.before()).after(admitting.versions());
    PlanDescription older = admitting.writesFor();
    return older == null ? plan : plan.writingFor(older);
  }
}
