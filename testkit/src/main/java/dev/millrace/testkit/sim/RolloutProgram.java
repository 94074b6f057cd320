package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.With.stream;

import dev.millrace.api.Grouped;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Within;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.sim.RolloutForms.Form;
import dev.millrace.testkit.sim.RolloutForms.Profile;
import dev.millrace.testkit.sim.RolloutForms.Visit;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/// A version of the program of [Rollouts]. Each keeps profiles of users, joins those of an hour
/// with marks, and collects those of groups of users; the last two are given early profiles that
/// are taken back. So the values of its version are in aggregates, in two exchanges, in a join and
/// in a window that retains them.
///
/// @param version an index into [RolloutForms#ALL]
/// @param extras operators of this version that count beside that: visits, behind an exchange of
///   their own, or marks, in the stage of the others
record RolloutProgram(int version, List<Integer> extras) implements StreamApplication {
  static final String APPLICATION = "rolled";
  static final String VISITS = "visits";
  static final String MARKS = "marks";
  static final String PROFILES = "out-profiles";
  static final String SEEN = "out-marks";
  static final String MARKED = "out-marked";
  static final String GROUPS = "out-groups";

  static final List<String> RESULTS = List.of(PROFILES, SEEN, MARKED, GROUPS);

  /// All records that count lie in the first of them.
  static final Duration WINDOW = Duration.ofHours(1);

  private static final Mapper<Visit, String> BY_USER = visit -> visit.user();
  private static final Mapper<Visit, String> BY_TEXT = visit -> visit.text();
  private static final Mapper<Profile, String> BY_GROUP = profile -> group(profile.user());

  /// The group of a user.
  static String group(String user) {
    return "g" + Math.floorMod(user.hashCode(), 3);
  }

  /// The topic with the results of an operator that only some versions have.
  static String out(int extra) {
    return "out-extra-" + extra;
  }

  /// What the windows say of a group.
  static String together(List<String> profiles) {
    return profiles.stream().sorted().collect(Collectors.joining("; "));
  }

  @Override
  public String name() {
    return APPLICATION;
  }

  @Override
  public void describe(Topology topology) {
    Form form = RolloutForms.ALL.get(version);
    var visits =
        topology
            .from(source(VISITS))
            .map(line -> visit(form, line.split(" ", -1)))
            .as(form.visits());
    var marks = topology.from(source(MARKS));
    marks.to(Kafka.sink(SEEN).key(Serdes.string()).value(Serdes.string()));
    for (int extra : extras) {
      Grouped<String, ?> grouped =
          extra % 2 == 0 ? visits.groupBy("by-text-" + extra, BY_TEXT) : marks.groupByKey();
      grouped
          .count("extra-" + extra)
          .to(Kafka.sink(out(extra)).key(Serdes.string()).value(Serdes.longs()));
    }
    var users = visits.groupBy("by-user", BY_USER);
    Table<String, Profile> profiles =
        users
            .aggregate("profiles", form::none, (profile, visit) -> profile.plus(visit))
            .as(form.profiles());
    profiles
        .toStream()
        .mapValues(Profile::text)
        .to(Kafka.sink(PROFILES).key(Serdes.string()).value(Serdes.string()));
    KeyedStream<String, Profile> hourly =
        users
            .window(tumbling(WINDOW).early(2).allowedLateness(Duration.ZERO))
            .aggregate("hourly", form::none, (profile, visit) -> profile.plus(visit))
            .as(form.profiles())
            .results(result -> result.value())
            .as(form.profiles());
    hourly
        .join(
            "marked",
            stream(marks, Within.of(WINDOW.multipliedBy(2))),
            (profile, mark) -> mark + ": " + profile.text())
        .to(Kafka.sink(MARKED).key(Serdes.string()).value(Serdes.string()).withRetractions());
    hourly
        .groupBy("by-group", BY_GROUP)
        .window(tumbling(WINDOW).allowedLateness(Duration.ZERO))
        .apply("together", (_, values) -> together(texts(values)))
        .as(Serdes.string())
        .results(result -> result.value())
        .to(Kafka.sink(GROUPS).key(Serdes.string()).value(Serdes.string()));
  }

  private static List<String> texts(Iterable<Profile> profiles) {
    return StreamSupport.stream(profiles.spliterator(), false).map(Profile::text).toList();
  }

  /// @param fields the user, the value and the text
  private static Visit visit(Form form, String[] fields) {
    return form.visit().of(fields[0], Integer.parseInt(fields[1]), fields[2]);
  }

  private static KafkaKeyedSource<String, String> source(String topic) {
    return Kafka.source(topic).key(Serdes.string()).value(Serdes.string()).startAtEarliest();
  }
}
