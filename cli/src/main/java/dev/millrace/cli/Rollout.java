package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.engine.plan.Formats;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.internal.engine.versions.Deployment;
import dev.millrace.internal.engine.versions.Deployments;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.spi.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A change of an application that is being rolled out, and the containers that run each version.
///
/// @param application its name
/// @param current the plan that was recorded last
/// @param open the change that is being rolled out; null if none is
/// @param former the plan before it; null if no change is being rolled out
/// @param containers by what they are called
record Rollout(
    String application,
    PlanDescription current,
    @Nullable Deployment open,
    @Nullable PlanDescription former,
    SortedMap<String, Cluster.ContainerStatus> containers) {

  /// Reads what is recorded of an application, and which of its containers live.
  ///
  /// @throws UserException if it is not known
  static Rollout of(Cluster cluster, String application) throws InterruptedException {
    Rollout recorded = recorded(cluster, application);
    Cluster.Application known = cluster.application(application);
    return known == null ? recorded : recorded.with(cluster.status(known));
  }

  /// Reads what is recorded of an application, without its containers.
  ///
  /// @throws UserException if it is not known
  static Rollout recorded(Cluster cluster, String application) {
    Recorded recorded = cluster.recorded(cluster.called(application));
    PlanDescription current = recorded.plan();
    if (current == null) {
      throw new UserException(
          ExitCode.USAGE,
          "No plan of application '%s' is recorded on cluster %s. 'millrace app list' shows the applications that have run there."
              .formatted(application, cluster.id()));
    }
    return new Rollout(
        application, current, recorded.deployment(), recorded.former(), new TreeMap<>());
  }

  private Rollout with(SortedMap<String, Cluster.ContainerStatus> status) {
    return new Rollout(application, current, open, former, status);
  }

  /// Returns what reads and ends changes.
  static Deployments deployments(Cluster cluster, String application) {
    return new Deployments(
        cluster.called(application), cluster.log(), Clock.system(), Cluster::pause);
  }

  /// Returns the change that is being rolled out.
  ///
  /// @throws UserException if there is none
  Deployment requireOpen() {
    if (open == null) {
      throw new UserException(
          ExitCode.USAGE, "No change of '%s' is being rolled out.".formatted(application));
    }
    return open;
  }

  /// Which version a container runs.
  String version(Cluster.ContainerStatus container) {
    String plan = container.sign().plan();
    if (plan.equals(current.hash())) {
      return former == null ? "current" : "new";
    }
    if (former != null
        && (plan.equals(former.hash()) || plan.equals(former.returnedTo(current).hash()))) {
      return "former";
    }
    return plan.isEmpty() ? "not known" : "another: " + plan;
  }

  /// Returns the containers that live and run another plan than one.
  List<String> others(PlanDescription plan) {
    List<String> others = new ArrayList<>();
    containers.forEach((number, container) -> {
      if (container.beats() && !container.sign().plan().equals(plan.hash())) {
        others.add(number);
      }
    });
    return others;
  }

  /// Returns what the change does, a line for each part.
  List<String> changes() {
    return former == null
        ? List.of()
        : PlanDiff.between(former, current, Formats.recorded(former, current)).lines();
  }
}
