package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.view.PlacementView;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/// Which process of an application has which task, as the topics of the application say.
record PlacementReport(PlacementView view) {
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
    SortedMap<String, Census.Said> living = census.living(said);
    said.putAll(living);
    SortedMap<String, Sign> signs = new TreeMap<>();
    said.forEach((name, each) -> signs.put(name, each.sign()));
    return new PlacementReport(
        new PlacementView(
            application,
            decisions.term(),
            decisions.seats(),
            signs,
            new TreeSet<>(living.keySet()),
            decisions.drained(),
            decisions.moves(),
            decisions.parts(),
            decisions.splits()));
  }

  /// Returns the number of the task that people call so.
  ///
  /// @throws UserException if there is none
  static int number(PlacementView view, String task) {
    for (int each : view.seats().keySet()) {
      if (PlacementView.name(each).equals(task)) {
        return each;
      }
    }
    String names =
        view.seats().keySet().stream().map(PlacementView::name).collect(Collectors.joining(", "));
    throw new UserException(
        ExitCode.USAGE,
        "Application '%s' has no task '%s'. Its tasks are %s. Nothing was changed."
            .formatted(view.application(), task, names));
  }

  void print(PrintWriter out) {
    out.println(
        "'%s' has %s in %s.%s"
            .formatted(
                view.application(),
                count(view.seats().size(), "task"),
                count(view.living().size(), "process"),
                view.term().completed()
                    ? " All input has ended, and everything is committed."
                    : ""));
    out.println();
    TextTable members =
        new TextTable("process", "lives", "coordinates", "tasks", "follows", "where", "since");
    view.said().forEach((name, sign) -> members.add(row(name, sign)));
    members.print(out);
    out.println();
    TextTable tasks =
        new TextTable("task", "process", "is", "busy", "decision", "followed by", "before");
    SortedSet<Integer> hot = view.hot();
    view.seats()
        .forEach((task, seat) ->
            tasks.add(
                PlacementView.name(task),
                seat.owner().isEmpty() ? "-" : seat.owner(),
                view.state(task),
                busy(task, hot),
                PlacementView.version(seat.version()),
                String.join(", ", seat.followers()),
                String.join(", ", view.before(task))));
    tasks.print(out);
  }

  private String busy(int task, SortedSet<Integer> hot) {
    double busy = view.busy(task);
    return busy < 0 ? "" : "%.0f %%%s".formatted(100 * busy, hot.contains(task) ? ", hot" : "");
  }

  private String[] row(String name, Sign sign) {
    Self self = sign.self();
    long owned = view.seats().values().stream().filter(seat -> seat.owner().equals(name)).count();
    long followed =
        view.seats().values().stream().filter(seat -> seat.followers().contains(name)).count();
    return new String[] {
      name,
      lives(name, sign),
      view.coordinates(name) ? "yes" : "",
      Long.toString(owned),
      Long.toString(followed),
      "%s, process %d".formatted(self.host(), self.running().pid()),
      Instant.ofEpochMilli(self.running().sinceMillis()).toString()
    };
  }

  private String lives(String name, Sign sign) {
    if (view.living().contains(name)) {
      return view.isDrained(name) ? "yes, drained" : "yes";
    }
    return sign.phase().isGone() ? "has ended" : "no";
  }

  private static String count(int number, String what) {
    return number == 1 ? "1 " + what : number + " " + what + (what.endsWith("s") ? "es" : "s");
  }

  void printJson(PrintWriter out) {
    out.println(
        JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(view.json()));
  }
}
