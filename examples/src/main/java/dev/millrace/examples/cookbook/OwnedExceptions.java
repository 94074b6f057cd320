package dev.millrace.examples.cookbook;

import static dev.millrace.api.With.asOf;
import static dev.millrace.api.With.table;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Exceptions with what helps whoever has to mend them: who that is, and which version it was.
public final class OwnedExceptions implements StreamApplication {
  /// A service has thrown something.
  public record Thrown(String type, String message, Instant at) {}

  /// Who has a service.
  public record Service(String team) {}

  /// Where a team is reached.
  public record Team(String channel) {}

  /// A version of a service began to run.
  public record Deployed(String version, Instant at) {}

  /// An exception, and the team of its service; null if nobody has it.
  public record Owned(Thrown thrown, @Nullable String channel) {}

  /// All that is known of an exception; null what is not.
  public record Report(
      String type,
      String message,
      Instant at,
      @Nullable String channel,
      @Nullable String version) {}

  @Override
  public void describe(Topology topology) {
    var thrown =
        topology.from(
            Kafka.source("exceptions")
                .key(Serdes.string())
                .value(json(Thrown.class))
                .eventTime(Thrown::at, ofSeconds(5)));
    var services =
        topology.table(
            "services", Kafka.source("services").key(Serdes.string()).value(json(Service.class)));
    var teams =
        topology.table("teams", Kafka.source("teams").key(Serdes.string()).value(json(Team.class)));
    var deployed =
        topology.table(
            "deployments",
            Kafka.source("deployments")
                .key(Serdes.string())
                .value(json(Deployed.class))
                .eventTime(Deployed::at));

    var channels =
        services
            .join("channels", teams, Service::team, (_, team) -> team.channel())
            .as(Serdes.string());

    thrown
        .leftJoin("owned", table(channels), (each, channel) -> new Owned(each, channel))
        .leftJoin("reports", asOf(deployed, ofMinutes(10)), (owned, then) -> report(owned, then))
        .to(Kafka.sink("reports").key(Serdes.string()).value(json(Report.class)));
  }

  private static Report report(Owned owned, @Nullable Deployed then) {
    Thrown thrown = owned.thrown();
    return new Report(
        thrown.type(),
        thrown.message(),
        thrown.at(),
        owned.channel(),
        then == null ? null : then.version());
  }
}
