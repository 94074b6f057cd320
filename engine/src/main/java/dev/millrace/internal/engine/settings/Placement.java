package dev.millrace.internal.engine.settings;

import dev.millrace.internal.engine.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Which tasks an engine runs, and on which of its workers: those that it is given while it runs;
/// or all; or, in tests and in the simulation, a fixed share by numbers, of which all engines of an
/// application must be given the same.
///
/// @param container of a fixed share, this one, from 0
/// @param containers of a fixed share, how many there are
/// @param workers how many the engine has
/// @param groups which tasks commit together
/// @param member the name of a process that is given its tasks by decisions; null if numbers say
///   which it has
/// @param version of the decision that gave it all tasks; 0 if none did
public record Placement(
    int container,
    int containers,
    int workers,
    Groups groups,
    @Nullable String member,
    long version) {

  /// What a commit group, and so a transaction, is made of, and how records get from one task to
  /// another.
  public enum Groups {
    /// The tasks of a worker; exchanges are topics.
    OF_WORKERS(""),
    /// The tasks of a container; exchanges are topics.
    OF_CONTAINERS("g"),
    /// All tasks, in one container; exchanges go through its memory.
    DIRECT("d");

    private final String text;

    Groups(String text) {
      this.text = text;
    }
  }

  public Placement {
    if (containers < 1 || container < 0 || container >= containers) {
      throw new IllegalArgumentException(
          "Container %d of %d does not exist. The numbers begin at 0."
              .formatted(container, containers));
    }
    if (workers < 1) {
      throw new IllegalArgumentException("A container needs at least one worker; found " + workers);
    }
    if (groups == Groups.DIRECT && containers > 1) {
      throw new IllegalArgumentException(
          "Exchanges through memory need all tasks in one container; found %d containers."
              .formatted(containers));
    }
  }

  public Placement(int container, int containers, int workers, Groups groups) {
    this(container, containers, workers, groups, null, 0);
  }

  /// Returns that of a process which begins without tasks, and to which they come.
  ///
  /// @param member its name, which no other process has at the same time
  public static Placement ofMember(String member, int workers, Groups groups) {
    return new Placement(0, 1, workers, groups, member, 0);
  }

  /// Returns that of a process which was given all tasks, whose exchanges go through its memory.
  ///
  /// @param member its name, which no other process has at the same time
  /// @param version of the decision that says so
  public static Placement ofAll(String member, int workers, long version) {
    return new Placement(0, 1, workers, Groups.DIRECT, member, version);
  }

  /// Whether tasks come and go.
  public boolean mayChange() {
    return member != null && groups != Groups.DIRECT;
  }

  public static Placement single(int workers) {
    return new Placement(0, 1, workers, Groups.OF_WORKERS);
  }

  /// Whether the workers of a container share one commit group.
  public boolean oneGroup() {
    return groups != Groups.OF_WORKERS;
  }

  /// The tasks of each worker of this container.
  public List<List<Plan.TaskId>> tasks(Plan plan) {
    List<List<Plan.TaskId>> tasks = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      tasks.add(new ArrayList<>());
    }
    for (Plan.TaskId task : mayChange() ? List.<Plan.TaskId>of() : plan.tasks()) {
      if (task.number() % containers == container) {
        tasks.get(task.number() / containers % workers).add(task);
      }
    }
    return tasks;
  }

  /// What all transactional ids of an application start with. The dot is in no application's name,
  /// so no other application's ids start so.
  public static String idPrefix(String application) {
    return application + ".";
  }

  /// The transactional id of a worker of this container. The placement is in it: under another
  /// placement the same numbers are another writer, which can be barred without barring this one.
  public String transactionalId(String application, int worker) {
    return member != null
        ? idPrefix(application) + member + "." + worker
        : idPrefix(application) + text() + "." + container + "." + worker;
  }

  /// Returns the transactional ids of the writers of this process.
  public Set<String> transactionalIds(String application) {
    Set<String> ids = new TreeSet<>();
    for (int worker = 0; worker < (oneGroup() ? 1 : workers); worker++) {
      ids.add(transactionalId(application, worker));
    }
    return ids;
  }

  /// Returns which transactional ids only former processes of the same name wrote under, which had
  /// more workers.
  public Predicate<String> former(String application) {
    String prefix = idPrefix(application) + member + ".";
    Set<String> present = transactionalIds(application);
    return id -> member != null && id.startsWith(prefix) && !present.contains(id);
  }

  /// All of it but the container, as it is written.
  public String text() {
    return containers + "x" + workers + groups.text;
  }
}
