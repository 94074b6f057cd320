package dev.millrace.examples.guide;

import static dev.millrace.api.Windows.hopping;
import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.sketches.DistinctCount;
import dev.millrace.sketches.Percentiles;
import dev.millrace.sketches.Sketches;
import java.time.Instant;

/// What the guide to sketches shows.
public final class SketchesGuide implements StreamApplication {
  /// A page was loaded.
  public record Load(String page, String user, long account, long millis, Instant at) {}

  /// How many users a page had in an hour.
  public record Users(String page, Instant hour, long atLeast, long about, long atMost) {}

  /// How long a page took.
  public record Speed(String page, Instant until, double median, double p99, double withinSecond) {}

  @Override
  public void describe(Topology topology) {
    var byPage =
        topology
            .from(Kafka.source("loads").value(json(Load.class)).eventTime(Load::at, ofSeconds(5)))
            .groupBy("by-page", Load::page);

    byPage
        .window(tumbling(ofHours(1)))
        .aggregate("users", Sketches.distinct(Load::user))
        .as(DistinctCount.serde())
        .results(r ->
            new Users(
                r.key(),
                r.window().start(),
                r.value().lower(),
                r.value().estimate(),
                r.value().upper()))
        .to(Kafka.sink("users").key(Serdes.string()).value(json(Users.class)));

    byPage
        .window(tumbling(ofHours(1)))
        .aggregate("accounts", Sketches.distinct(Load::account, Serdes.longs()))
        .as(DistinctCount.serde())
        .results(r -> r.value().estimate())
        .to(Kafka.sink("accounts").key(Serdes.string()).value(Serdes.longs()));

    byPage
        .window(tumbling(ofHours(1)))
        .aggregate("users-by-hour", Sketches.distinct(Load::user))
        .as(DistinctCount.serde())
        .results(r -> r.value())
        .as(DistinctCount.serde())
        .groupByKey()
        .window(tumbling(ofDays(1)))
        .aggregate("users-by-day", Sketches.distinctOfAll(hour -> hour))
        .as(DistinctCount.serde())
        .results(r -> r.value().estimate())
        .to(Kafka.sink("users-by-day").key(Serdes.string()).value(Serdes.longs()));

    byPage
        .window(hopping(ofMinutes(10), ofMinutes(1)))
        .aggregate("speed", Sketches.percentiles(Load::millis))
        .as(Percentiles.serde())
        .results(r ->
            new Speed(
                r.key(),
                r.window().end(),
                r.value().quantile(0.5),
                r.value().quantile(0.99),
                r.value().share(1000)))
        .to(Kafka.sink("speed").key(Serdes.string()).value(json(Speed.class)));
  }
}
