package dev.millrace.internal.cluster.view;

import dev.millrace.internal.cluster.decide.MoveRequest;
import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.decide.SplitRequest;
import dev.millrace.internal.cluster.decide.Term;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.place.Bundles;
import dev.millrace.internal.cluster.place.Home;
import dev.millrace.internal.cluster.place.Seat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which process of an application has which task, by what is decided and what they say. Immutable.
///
/// @param seats by the number of the task
/// @param said the last sign of each process that is remembered
/// @param living those that show that they live
/// @param drained names of processes and hosts that are to have nothing
/// @param asked by the number of the task, where somebody wants it, whether or not that still holds
/// @param parts the tasks that were split off from others, or are being split off, by their numbers
/// @param splits the tasks that somebody wants to be split, by their numbers
public record PlacementView(
    String application,
    Term term,
    SortedMap<Integer, Seat> seats,
    SortedMap<String, Sign> said,
    SortedSet<String> living,
    SortedSet<String> drained,
    SortedMap<Integer, MoveRequest> asked,
    SortedMap<Integer, Part> parts,
    SortedMap<Integer, SplitRequest> splits) {
  /// From which part of a worker's time on a task may be hot.
  private static final double HOT = 0.2;

  /// How many times as busy as others a hot task is.
  private static final double HOTTER = 3;

  public PlacementView {
    seats = Collections.unmodifiableSortedMap(new TreeMap<>(seats));
    said = Collections.unmodifiableSortedMap(new TreeMap<>(said));
    living = Collections.unmodifiableSortedSet(new TreeSet<>(living));
    drained = Collections.unmodifiableSortedSet(new TreeSet<>(drained));
    asked = Collections.unmodifiableSortedMap(new TreeMap<>(asked));
    parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
    splits = Collections.unmodifiableSortedMap(new TreeMap<>(splits));
  }

  /// Returns the process that somebody wants to have a task; empty if there is none that lives.
  public String wanted(int task) {
    MoveRequest request = asked.get(task);
    return request != null && lives(request.home(), request.life()) ? request.home() : "";
  }

  /// Returns whether a process shows that it lives, and is the one of some life.
  public boolean lives(String name, long life) {
    Sign sign = said.get(name);
    return sign != null && living.contains(name) && sign.self().life() == life;
  }

  /// Returns whether another process than its owner may be given a task.
  public boolean mayGoElsewhere(int task) {
    String owner = seats.getOrDefault(task, Seat.EMPTY).owner();
    return living.stream().anyMatch(other -> !other.equals(owner) && mayGet(other, task));
  }

  /// Returns whether a task is at work at its owner, or has done all that it had to do.
  public boolean isAtWork(int task) {
    Seat seat = seats.getOrDefault(task, Seat.EMPTY);
    Sign owner = living.contains(seat.owner()) ? said.get(seat.owner()) : null;
    Report report = owner == null ? null : owner.report(task);
    return report != null
        && report.version() == seat.version()
        && (report.state() == Report.State.OWNER || report.state() == Report.State.DONE);
  }

  /// Returns the part of a worker's time that a task takes, averaged over about a minute; negative
  /// if it is not known.
  public double busy(int task) {
    Seat seat = seats.getOrDefault(task, Seat.EMPTY);
    Sign owner = living.contains(seat.owner()) ? said.get(seat.owner()) : null;
    Report report = owner == null ? null : owner.report(task);
    return report == null || !report.state().isHeld() ? -1 : report.busy();
  }

  /// Returns the tasks that are much busier than most: each takes a fifth of a worker's time or
  /// more, and three times as much as the task in the middle.
  public SortedSet<Integer> hot() {
    double[] all =
        seats.keySet().stream().mapToDouble(this::busy).filter(each -> each >= 0).toArray();
    Arrays.sort(all);
    double middle = all.length == 0 ? 0 : all[(all.length - 1) / 2];
    SortedSet<Integer> hot = new TreeSet<>(seats.keySet());
    hot.removeIf(task -> busy(task) < HOT || busy(task) <= HOTTER * middle);
    return hot;
  }

  /// Returns the process that has a task; empty if none does.
  public String owner(int task) {
    return seats.getOrDefault(task, Seat.EMPTY).owner();
  }

  /// Returns the tasks that a process has.
  public SortedSet<Integer> tasksOf(String process) {
    SortedSet<Integer> tasks = new TreeSet<>();
    seats.forEach((task, seat) -> {
      if (seat.owner().equals(process)) {
        tasks.add(task);
      }
    });
    return tasks;
  }

  /// Returns whether a process may be given a task: it lives, is neither drained nor about to end,
  /// and its program has the task.
  public boolean mayGet(String name, int task) {
    Sign sign = said.get(name);
    return sign != null
        && living.contains(name)
        && !isDrained(name)
        && sign.phase() == Sign.Phase.HERE
        && has(name, task);
  }

  /// Returns whether the program of a process has a task.
  public boolean has(String name, int task) {
    Sign sign = said.get(name);
    return sign != null
        && sign.self().kind().equals(term.kind())
        && sign.self().bundles().contains(task);
  }

  /// Returns what people call a task.
  public static String name(int task) {
    return task == Bundles.WHOLE ? "all" : Integer.toString(task);
  }

  /// Returns whether a process, or all of its host, is to have nothing.
  public boolean isDrained(String name) {
    Sign sign = said.get(name);
    return drained.contains(name) || (sign != null && drained.contains(sign.self().host()));
  }

  /// Returns whether a process decides.
  public boolean coordinates(String name) {
    return term.leader().equals(name) && !term.resigned() && living.contains(name);
  }

  /// Returns a decision as people see it: its term, and its number there.
  public static String version(long version) {
    return "%d.%d".formatted(version >>> Term.NUMBERED, version & ((1L << Term.NUMBERED) - 1));
  }

  /// Returns what is the case with a task, and why.
  public String state(int task) {
    Seat seat = seats.getOrDefault(task, Seat.EMPTY);
    if (seat.owner().isEmpty()) {
      return "without a process";
    }
    if (!living.contains(seat.owner())) {
      return "waiting for its process, or for another one";
    }
    if (seat.giving()) {
      return "being handed over to " + seat.heir();
    }
    Sign owner = said.get(seat.owner());
    Report report = owner == null ? null : owner.report(task);
    String now = report == null ? "not taken yet" : lower(report.state());
    Part part = parts.get(task);
    if (part != null && !isAtWork(task)) {
      return "being split off from " + part.parent();
    }
    if (!seat.heir().isEmpty()) {
      return now + ", to be handed over to " + seat.heir();
    }
    String wanted = wanted(task);
    if (!wanted.isEmpty()) {
      return now + (wanted.equals(seat.owner()) ? ", as asked for" : ", wanted at " + wanted);
    }
    if (isToBeSplit(task)) {
      return now + ", to be split";
    }
    if (part != null) {
      now += ", split off from " + part.parent();
    }
    return now + (before(task).isEmpty() ? "" : seat.force() ? ", taken over" : ", handed over");
  }

  /// Returns whether somebody wants a task to be split, and it was not.
  public boolean isToBeSplit(int task) {
    SplitRequest request = splits.get(task);
    return (request != null && request.isOpen())
        || parts.entrySet().stream()
            .anyMatch(part -> part.getValue().parent() == task && !isAtWork(part.getKey()));
  }

  private static String lower(Report.State state) {
    return switch (state) {
      case TAKING -> "being restored";
      case OWNER -> "at work";
      case DONE -> "at its end";
      case LEAVING -> "being let go of";
      case RELEASED -> "let go of";
      case FOLLOWING, STORED -> "not taken yet";
    };
  }

  /// Returns the processes that had a task before, the last one first.
  public List<String> before(int task) {
    Seat seat = seats.getOrDefault(task, Seat.EMPTY);
    List<String> before = new ArrayList<>(seat.homes().stream().map(Home::home).toList());
    before.removeIf(seat.owner()::equals);
    return before;
  }

  /// Returns all of it, to be written as JSON.
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("application", application);
    json.put("term", term.number());
    json.put("completed", term.completed());
    json.put("drained", drained);
    List<Map<String, Object>> processes = new ArrayList<>();
    said.forEach((name, sign) -> processes.add(process(name, sign)));
    json.put("processes", processes);
    List<Map<String, Object>> tasks = new ArrayList<>();
    SortedSet<Integer> hot = hot();
    seats.forEach((task, seat) -> tasks.add(task(task, seat, hot.contains(task))));
    json.put("tasks", tasks);
    return json;
  }

  private Map<String, Object> process(String name, Sign sign) {
    Self self = sign.self();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("lives", living.contains(name));
    json.put("drained", isDrained(name));
    json.put("phase", sign.phase().name().toLowerCase(Locale.ROOT));
    json.put("coordinates", coordinates(name));
    json.put("host", self.host());
    json.put("pid", self.running().pid());
    json.put("sinceMillis", self.running().sinceMillis());
    json.put("http", self.running().http());
    json.put("plan", self.running().program());
    return json;
  }

  private Map<String, Object> task(int task, Seat seat, boolean hot) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("task", task);
    json.put("process", seat.owner());
    json.put("is", state(task));
    if (busy(task) >= 0) {
      json.put("busyPercent", Math.round(100 * busy(task)));
    }
    json.put("hot", hot);
    json.put("decision", version(seat.version()));
    json.put("heir", seat.heir());
    json.put("wanted", wanted(task));
    json.put("followers", seat.followers());
    json.put("before", before(task));
    Part part = parts.get(task);
    if (part != null) {
      json.put("splitOffFrom", part.parent());
    }
    return json;
  }
}
