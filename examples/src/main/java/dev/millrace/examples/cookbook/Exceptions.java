package dev.millrace.examples.cookbook;

import static dev.millrace.json.Json.json;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.millrace.api.Kafka;
import dev.millrace.api.Stream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The exceptions among what all services log.
///
/// @param topics one for each kind of log
public record Exceptions(List<String> topics) implements StreamApplication {
  private static final Pattern EXCEPTION =
      Pattern.compile("\\b(?<type>(?:\\w+\\.)+\\w*(?:Exception|Error))\\b(?:: (?<message>.*))?");

  /// A line of a log.
  ///
  /// @param id the same when the line is sent again
  public record LogLine(String id, String service, String level, String text, Instant at) {}

  /// An exception in it.
  public record Thrown(String id, String service, String type, String message, Instant at) {}

  @Override
  public void describe(Topology topology) {
    var thrown =
        topics.stream()
            .map(topic -> lines(topology, topic))
            .reduce(Stream::merge)
            .orElseThrow()
            .filter(line -> line.level().equals("ERROR"))
            .flatMap(Exceptions::thrown);
    thrown.to(Kafka.sink("all-exceptions").value(json(Thrown.class)));

    thrown
        .groupBy("by-service", Thrown::service)
        .deduplicate("once", ofMinutes(10), Thrown::id)
        .to(Kafka.sink("exceptions").key(Serdes.string()).value(json(Thrown.class)));
  }

  private static Stream<LogLine> lines(Topology topology, String topic) {
    return topology.from(
        Kafka.source(topic).value(json(LogLine.class)).eventTime(LogLine::at, ofSeconds(5)));
  }

  private static List<Thrown> thrown(LogLine line) {
    Matcher found = EXCEPTION.matcher(line.text());
    if (!found.find()) {
      return List.of();
    }
    String type = requireNonNull(found.group("type"));
    String message = requireNonNullElse(found.group("message"), "");
    return List.of(new Thrown(line.id(), line.service(), type, message, line.at()));
  }
}
