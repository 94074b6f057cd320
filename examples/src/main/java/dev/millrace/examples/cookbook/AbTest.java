package dev.millrace.examples.cookbook;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.With.stream;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static java.util.Objects.requireNonNull;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Share;
import dev.millrace.api.Stream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a new version of a page does, for a share of all members, beside the old one.
///
/// @param name of the experiment
/// @param share of all members that get the new version, from 0 to 1
public record AbTest(String name, double share) implements StreamApplication {
  /// A member was on a page, and did there what the page is for, or did not.
  public record Visit(String member, String page, boolean done, Instant at) {}

  /// What visits of one version came to.
  public record Outcome(long visits, long done) {
    static final Outcome NONE = new Outcome(0, 0);

    Outcome plus(Outcome other) {
      return new Outcome(visits + other.visits, done + other.done);
    }

    static Outcome of(Visit visit) {
      return new Outcome(1, visit.done() ? 1 : 0);
    }
  }

  /// Both versions of a page in an hour.
  public record Comparison(String page, Instant hour, Outcome newVersion, Outcome oldVersion) {}

  /// An outcome of an hour.
  public record Hour(String page, Instant start, Outcome outcome) {}

  /// Whether a member gets the new version: the site asks the same.
  public boolean isNew(String member) {
    return Share.of(share).holds(name + " " + member);
  }

  @Override
  public void describe(Topology topology) {
    var visits =
        topology.from(
            Kafka.source("visits").value(json(Visit.class)).eventTime(Visit::at, ofSeconds(5)));

    var versions = visits.branch(visit -> isNew(visit.member()));
    outcomes("new", versions.matching())
        .outerJoin(
            "comparisons",
            stream(
                outcomes("old", versions.rest()),
                Within.of(ofMinutes(0)).allowedLateness(ofMinutes(10))),
            (newVersion, oldVersion) -> compared(newVersion, oldVersion))
        .to(Kafka.sink("comparisons").key(Serdes.string()).value(json(Comparison.class)));

    visits.sample(0.1, Visit::member).to(Kafka.sink("some-visits").value(json(Visit.class)));
  }

  private static KeyedStream<String, Hour> outcomes(String version, Stream<Visit> visits) {
    return visits
        .groupBy("by-page-" + version, Visit::page)
        .window(tumbling(ofHours(1)).allowedLateness(ofMinutes(10)))
        .aggregate(
            "outcomes-" + version, () -> Outcome.NONE, (sum, visit) -> sum.plus(Outcome.of(visit)))
        .results(r -> new Hour(r.key(), r.window().start(), r.value()));
  }

  private static Comparison compared(@Nullable Hour newVersion, @Nullable Hour oldVersion) {
    Hour known = newVersion == null ? requireNonNull(oldVersion) : newVersion;
    return new Comparison(
        known.page(),
        known.start(),
        newVersion == null ? Outcome.NONE : newVersion.outcome(),
        oldVersion == null ? Outcome.NONE : oldVersion.outcome());
  }
}
