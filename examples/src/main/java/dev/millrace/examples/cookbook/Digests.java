package dev.millrace.examples.cookbook;

import static dev.millrace.api.Windows.sizedBy;
import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.With.asOf;
import static dev.millrace.api.With.stream;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One mail about many updates, as often as its reader wants one, and whether it is read.
public final class Digests implements StreamApplication {
  /// What a member who has set nothing gets.
  private static final int USUAL_HOURS = 24;

  /// Something happened that a member wants to hear of.
  public record Update(String text, Instant at) {}

  /// How often a member wants to hear of it.
  public record Settings(int hours, Instant since) {}

  /// An update, and the settings of its time.
  public record Due(Update update, int hours) {
    static Due of(Update update, @Nullable Settings settings) {
      return new Due(update, settings == null ? USUAL_HOURS : settings.hours());
    }
  }

  /// A mail to be sent.
  public record Digest(String member, Instant from, Instant to, List<String> texts) {}

  /// A mail was sent.
  public record Sent(int hours, Instant at) {}

  /// A mail was opened.
  public record Opened(Instant at) {}

  /// How many mails to members with the same settings were sent, and how many of these were read.
  public record Outcome(int hours, long sent, long read) {
    Outcome plus(Outcome other) {
      return new Outcome(hours, sent + other.sent, read + other.read);
    }
  }

  /// The same of the mails of a day.
  public record Readers(Instant day, Outcome outcome) {}

  @Override
  public void describe(Topology topology) {
    digests(topology);
    readers(topology);
  }

  private static void digests(Topology topology) {
    var updates =
        topology.from(
            Kafka.source("updates")
                .key(Serdes.string())
                .value(json(Update.class))
                .eventTime(Update::at, ofSeconds(5)));
    var settings =
        topology.table(
            "settings",
            Kafka.source("settings")
                .key(Serdes.string())
                .value(json(Settings.class))
                .eventTime(Settings::since));

    updates
        .leftJoin("due", asOf(settings, ofMinutes(10)), (update, set) -> Due.of(update, set))
        .groupByKey()
        .window(
            sizedBy((Due due) -> ofHours(due.hours())).allowedLateness(ofMinutes(10)).onlyFinal())
        .apply("digests", (_, due) -> texts(due))
        .results(r -> new Digest(r.key(), r.window().start(), r.window().end(), r.value()))
        .to(Kafka.sink("digests").key(Serdes.string()).value(json(Digest.class)));
  }

  private static List<String> texts(List<Due> due) {
    return due.stream()
        .map(Due::update)
        .sorted(Comparator.comparing(Update::at).thenComparing(Update::text))
        .map(Update::text)
        .toList();
  }

  private static void readers(Topology topology) {
    var sent =
        topology.from(
            Kafka.source("sent-mails")
                .key(Serdes.string())
                .value(json(Sent.class))
                .eventTime(Sent::at));
    var opened =
        topology.from(
            Kafka.source("opened-mails")
                .key(Serdes.string())
                .value(json(Opened.class))
                .eventTime(Opened::at));

    sent.leftJoin(
            "outcomes",
            stream(
                opened.groupByKey().deduplicate("first-opened", ofDays(2)),
                Within.of(ofDays(0), ofDays(2)).allowedLateness(ofHours(1))),
            (mail, open) -> new Outcome(mail.hours(), 1, open == null ? 0 : 1))
        .groupBy("by-hours", Outcome::hours)
        .window(tumbling(ofDays(1)).allowedLateness(ofHours(1)))
        .reduce("readers", Outcome::plus)
        .results(r -> new Readers(r.window().start(), r.value()))
        .to(Kafka.sink("readers").key(Serdes.ints()).value(json(Readers.class)));
  }
}
