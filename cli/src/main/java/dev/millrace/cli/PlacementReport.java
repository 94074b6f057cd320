package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Term;
import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.place.Home;
import dev.millrace.internal.cluster.place.Seat;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Which process of an application has which task, by what is decided and what they say.
///
/// @param seats by the number of the task
/// @param said the last sign of each process that has said something in the last day
/// @param living those that show that they live
record PlacementReport(
    String application,
    Term term,
    SortedMap<Integer, Seat> seats,
    SortedMap<String, Census.Said> said,
    Set<String> living,
    Set<String> drained) {
  /// Reads what is decided, and waits for signs of life.
  ///
  /// @throws UserException if nothing was decided about the application
  static PlacementReport of(Cluster cluster, String application) {
    String storage = cluster.called(application).storage();
    Decisions decisions = cluster.decisions(storage);
    if (decisions == null) {
      throw new UserException(
          ExitCode.USAGE,
          "Nothing is decided about the tasks of an application '%s' on cluster %s. 'millrace app list' shows the applications that have run there."
              .formatted(application, cluster.id()));
    }
    Census census = cluster.census(storage);
    SortedMap<String, Census.Said> said = census.last();
    return new PlacementReport(
        application,
        decisions.term(),
        new TreeMap<>(decisions.seats()),
        said,
        census.living(said).keySet(),
        new TreeSet<>(decisions.drained()));
  }

  void print(PrintWriter out) {
    out.println(
        "'%s' has %s in %s.%s"
            .formatted(
                application,
                count(seats.size(), "task"),
                count(living.size(), "process"),
                term.completed() ? " All input has ended, and everything is committed." : ""));
    out.println();
    TextTable members =
        new TextTable("process", "lives", "coordinates", "tasks", "follows", "where", "since");
    said.forEach((name, each) -> {
      Self self = each.sign().self();
      members.add(
          name,
          lives(name, each),
          coordinates(name) ? "yes" : "",
          Long.toString(seats.values().stream().filter(seat -> seat.owner().equals(name)).count()),
          Long.toString(
              seats.values().stream().filter(seat -> seat.followers().contains(name)).count()),
          "%s, process %d".formatted(self.host(), self.running().pid()),
          Instant.ofEpochMilli(self.running().sinceMillis()).toString());
    });
    members.print(out);
    out.println();
    TextTable tasks = new TextTable("task", "process", "is", "decision", "followed by", "before");
    seats.forEach((task, seat) ->
        tasks.add(
            task.toString(),
            seat.owner().isEmpty() ? "-" : seat.owner(),
            state(task, seat),
            version(seat.version()),
            String.join(", ", seat.followers()),
            String.join(", ", before(seat))));
    tasks.print(out);
  }

  private String lives(String name, Census.Said process) {
    if (living.contains(name)) {
      return isDrained(name) ? "yes, drained" : "yes";
    }
    return process.sign().phase().isGone() ? "has ended" : "no";
  }

  /// Returns whether a process, or all of its host, is to have nothing.
  boolean isDrained(String name) {
    Census.Said process = said.get(name);
    return drained.contains(name)
        || (process != null && drained.contains(process.sign().self().host()));
  }

  private static String count(int number, String what) {
    return number == 1 ? "1 " + what : number + " " + what + (what.endsWith("s") ? "es" : "s");
  }

  private boolean coordinates(String name) {
    return term.leader().equals(name) && !term.resigned() && living.contains(name);
  }

  /// A decision by its term and its number there.
  private static String version(long version) {
    return "%d.%d".formatted(version >>> Term.NUMBERED, version & ((1L << Term.NUMBERED) - 1));
  }

  /// What is the case with a task, and why.
  private String state(int task, Seat seat) {
    if (seat.owner().isEmpty()) {
      return "without a process";
    }
    if (!living.contains(seat.owner())) {
      return "waiting for its process, or for another one";
    }
    if (seat.giving()) {
      return "being handed over to " + seat.heir();
    }
    Census.Said owner = said.get(seat.owner());
    Report report = owner == null ? null : owner.sign().report(task);
    String now = report == null ? "not taken yet" : lower(report.state());
    if (!seat.heir().isEmpty()) {
      return now + ", to be handed over to " + seat.heir();
    }
    return now + (before(seat).isEmpty() ? "" : seat.force() ? ", taken over" : ", handed over");
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

  /// The processes that had a task before, the last one first.
  private static List<String> before(Seat seat) {
    List<String> before = new ArrayList<>(seat.homes().stream().map(Home::home).toList());
    before.removeIf(seat.owner()::equals);
    return before;
  }

  void printJson(PrintWriter out) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("application", application);
    json.put("term", term.number());
    json.put("completed", term.completed());
    List<Map<String, Object>> members = new ArrayList<>();
    said.forEach((name, each) -> members.add(json(name, each)));
    json.put("processes", members);
    List<Map<String, Object>> tasks = new ArrayList<>();
    seats.forEach((task, seat) -> tasks.add(json(task, seat)));
    json.put("tasks", tasks);
    out.println(
        JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(json));
  }

  private Map<String, Object> json(String name, Census.Said said) {
    Sign sign = said.sign();
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

  private Map<String, Object> json(int task, Seat seat) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("task", task);
    json.put("process", seat.owner());
    json.put("is", state(task, seat));
    json.put("decision", version(seat.version()));
    json.put("heir", seat.heir());
    json.put("followers", seat.followers());
    json.put("before", before(seat));
    return json;
  }
}
