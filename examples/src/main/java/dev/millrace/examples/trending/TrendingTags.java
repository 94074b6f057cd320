package dev.millrace.examples.trending;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofSeconds;

import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import java.time.Instant;
import java.util.List;

/// The ten most used tags of every ten seconds, among those that members added to the skills and
/// jobs of their profiles.
public final class TrendingTags implements StreamApplication {
  /// The part of a profile that was changed.
  public enum Section {
    SKILL,
    JOB,
    PHOTO
  }

  /// A member changed a profile.
  public record ProfileUpdate(String member, Section section, List<String> tags, Instant at) {}

  /// A tag among the ten most used of a window.
  public record Trend(Instant windowStart, int rank, String tag, long count) {}

  @Override
  public void describe(Topology topology) {
    var updates =
        topology.from(
            Kafka.source("profile-updates")
                .value(json(ProfileUpdate.class))
                .eventTime(ProfileUpdate::at));
    var skillTags =
        updates.filter(update -> update.section() == Section.SKILL).flatMap(ProfileUpdate::tags);
    var jobTags =
        updates.filter(update -> update.section() == Section.JOB).flatMap(ProfileUpdate::tags);

    skillTags
        .merge(jobTags)
        .groupBy("by-tag", tag -> tag)
        .window(tumbling(ofSeconds(10)))
        .count("tag-counts")
        .topK("trending", 10, r -> new Trend(r.window().start(), r.rank(), r.key(), r.value()))
        .to(Kafka.sink("trending-tags").value(json(Trend.class)));
  }

  public static void main(String[] args) {
    Millrace.run(new TrendingTags(), args);
  }
}
