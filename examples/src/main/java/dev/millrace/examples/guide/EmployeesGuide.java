package dev.millrace.examples.guide;

import static dev.millrace.json.Json.json;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import org.jspecify.annotations.Nullable;

/// What the guide to tables and joins shows of a table that refers to itself.
public final class EmployeesGuide implements StreamApplication {
  /// Somebody.
  ///
  /// @param manager the key of another employee; null if there is none
  public record Employee(String name, @Nullable String manager) {}

  /// Who reports to whom.
  ///
  /// @param to empty if to nobody
  public record Reports(String name, String to) {}

  @Override
  public void describe(Topology topology) {
    var employees =
        topology.table(
            "employees",
            Kafka.source("employees").key(Serdes.string()).value(json(Employee.class)));

    employees
        .leftJoin(
            "manager",
            employees,
            Employee::manager,
            (employee, manager) ->
                new Reports(employee.name(), manager == null ? "" : manager.name()))
        .as(json(Reports.class))
        .to(Kafka.sink("reports").key(Serdes.string()).value(json(Reports.class)));

    var below =
        employees
            .filter(employee -> employee.manager() != null)
            .groupBy("by-manager", employee -> String.valueOf(employee.manager()))
            .count("below");
    employees
        .leftJoin("team", below, (_, count) -> count == null ? 0 : count)
        .as(Serdes.longs())
        .to(Kafka.sink("teams").key(Serdes.string()).value(Serdes.longs()));
  }
}
