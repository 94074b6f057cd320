package dev.millrace.examples.cookbook;

import static dev.millrace.api.Windows.hopping;
import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.With.asOf;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.sketches.Percentiles;
import dev.millrace.sketches.Sketches;
import java.time.Instant;

/// How fast a site is in each country, and where it is slower than the day before.
public final class SiteSpeed implements StreamApplication {
  /// How much slower is worth an alert.
  private static final double TOO_SLOW = 1.5;

  /// Somebody loaded a page.
  public record Load(String site, String country, long millis, Instant at) {
    String place() {
      return site + "/" + country;
    }
  }

  /// How long loads took at a place.
  ///
  /// @param to the end of the window
  public record Speed(String place, Instant to, long loads, double median, double p90) {
    static Speed of(String place, Instant to, Percentiles millis) {
      return new Speed(place, to, millis.count(), millis.quantile(0.5), millis.quantile(0.9));
    }
  }

  /// A place is slow.
  public record Slow(String place, Instant to, double p90, double dayBefore) {
    boolean isTooSlow() {
      return p90 > TOO_SLOW * dayBefore;
    }
  }

  @Override
  public void describe(Topology topology) {
    var loads =
        topology
            .from(Kafka.source("loads").value(json(Load.class)).eventTime(Load::at, ofSeconds(5)))
            .groupBy("by-place", Load::place);

    var speed =
        loads
            .window(hopping(ofMinutes(5), ofMinutes(1)).allowedLateness(ofMinutes(10)))
            .aggregate("speed", Sketches.percentiles(Load::millis))
            .as(Percentiles.serde())
            .results(r -> Speed.of(r.key(), r.window().end(), r.value()));
    speed.to(Kafka.sink("speed").key(Serdes.string()).value(json(Speed.class)));

    var dayBefore =
        loads
            .window(tumbling(ofDays(1)).allowedLateness(ofMinutes(10)))
            .aggregate("speed-of-the-day", Sketches.percentiles(Load::millis))
            .as(Percentiles.serde())
            .results(r -> Speed.of(r.key(), r.window().end(), r.value()))
            .groupByKey()
            .latest("day-before");

    speed
        .join(
            "slower",
            asOf(dayBefore, ofMinutes(10)),
            (now, before) -> new Slow(now.place(), now.to(), now.p90(), before.p90()))
        .filter(Slow::isTooSlow)
        .to(Kafka.sink("slow").key(Serdes.string()).value(json(Slow.class)));
  }
}
