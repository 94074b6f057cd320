package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.examples.guide.EmployeesGuide.Employee;
import dev.millrace.examples.guide.EmployeesGuide.Reports;
import dev.millrace.testkit.job.Harsh;
import dev.millrace.testkit.job.On;
import dev.millrace.testkit.job.TestInput;
import dev.millrace.testkit.job.TestJob;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A table that refers to itself is what a plain computation says, on Kafka as on its model.
class EmployeesGuideTest {
  private static final int KEYS = 12;

  /// Takes an employee, or none to delete the key.
  private interface Input {
    void put(String key, @Nullable Employee employee);

    static Input of(TestJob job) {
      TestInput<Object, Object> employees = job.input("employees");
      return (key, employee) -> {
        if (employee == null) {
          employees.delete(key);
        } else {
          employees.send(key, employee);
        }
      };
    }
  }

  /// The employees, as the records that were sent leave them.
  private static final class Staff {
    private final Map<String, Employee> all = new TreeMap<>();
    private final Random random = new Random(7);

    /// Hires, changes and dismisses some; managers may be nobody, oneself, or not there.
    void change(Input input, int times) {
      for (int i = 0; i < times; i++) {
        String key = "e" + random.nextInt(KEYS);
        if (random.nextInt(5) == 0) {
          all.remove(key);
          input.put(key, null);
        } else {
          int manager = random.nextInt(KEYS + 2);
          Employee employee = new Employee(key + "-" + i, manager > KEYS ? null : "e" + manager);
          all.put(key, employee);
          input.put(key, employee);
        }
      }
    }

    Map<Object, Object> reports() {
      Map<Object, Object> reports = new TreeMap<>();
      all.forEach((key, employee) -> {
        Employee manager = found(employee.manager());
        reports.put(key, new Reports(employee.name(), manager == null ? "" : manager.name()));
      });
      return reports;
    }

    private @Nullable Employee found(@Nullable String manager) {
      return manager == null ? null : all.get(manager);
    }

    Map<Object, Object> teams() {
      Map<Object, Object> teams = new TreeMap<>();
      for (String key : all.keySet()) {
        teams.put(key, all.values().stream().filter(e -> key.equals(e.manager())).count());
      }
      return teams;
    }
  }

  private static void assertRight(Staff staff, TestJob job) {
    assertEquals(staff.reports(), new TreeMap<>(job.output("reports").latest()));
    assertEquals(staff.teams(), new TreeMap<>(job.output("teams").latest()));
  }

  @ParameterizedTest
  @EnumSource(On.class)
  void employeesHaveTheirManagersAndTeams(On on) {
    Staff staff = new Staff();
    try (TestJob job = TestJob.on(on, new EmployeesGuide())) {
      Input employees = Input.of(job);
      staff.change(employees, 100);
      assertRight(staff, job);
      staff.change(employees, 100);
      job.crash();
      staff.change(employees, 100);
      job.restart();
      assertRight(staff, job);
      staff.change(employees, 30);
      job.crashLosingDisks();
      assertRight(staff, job);
    }
  }

  @Test
  void whateverHappensToTheJob() {
    Staff staff = new Staff();
    staff.change((_, _) -> {}, 40);
    Harsh.of(new EmployeesGuide(), job -> new Staff().change(Input.of(job), 40))
        .then(job -> assertRight(staff, job))
        .check();
  }

  @Test
  void aBoundedTopicEndsTheJob() {
    Staff staff = new Staff();
    try (TestJob job = TestJob.of(new EmployeesGuide())) {
      staff.change(Input.of(job), 60);
      job.input("employees").end();
      assertRight(staff, job);
    }
  }
}
