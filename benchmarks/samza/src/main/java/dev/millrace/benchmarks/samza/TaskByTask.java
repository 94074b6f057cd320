package dev.millrace.benchmarks.samza;

import dev.millrace.benchmarks.scenarios.Assignment;
import dev.millrace.benchmarks.scenarios.Scenario;
import org.apache.samza.application.TaskApplication;
import org.apache.samza.application.descriptors.TaskApplicationDescriptor;
import org.apache.samza.system.SystemStream;
import org.apache.samza.task.StreamTaskFactory;

/// Scenarios without an exchange, with the low-level tasks that the benchmark of 2015 used.
final class TaskByTask implements TaskApplication {
  private final Assignment assignment;

  TaskByTask(Assignment assignment) {
    this.assignment = assignment;
  }

  @Override
  public void describe(TaskApplicationDescriptor application) {
    Wiring wiring = new Wiring(assignment);
    SystemStream out = new SystemStream(Wiring.SYSTEM, assignment.output());
    application
        .withDefaultSystem(wiring.system())
        .withInputStream(wiring.input())
        .withOutputStream(wiring.output());
    if (assignment.scenario() == Scenario.PASS) {
      application.withTaskFactory((StreamTaskFactory) () -> new PassingTask(out));
    } else {
      application.withTable(wiring.store());
      application.withTaskFactory((StreamTaskFactory) () -> new CountingTask(out));
    }
  }
}
