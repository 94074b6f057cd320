package dev.millrace.internal.engine.topology;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import java.time.Instant;
import java.util.List;

/// The ten most used tags of every ten seconds.
public final class TrendingTags implements StreamApplication {
  enum Section {
    SKILL,
    JOB
  }

  record ProfileUpdate(String member, Section section, List<String> tags, Instant at) {}

  record Trend(Instant windowStart, int rank, String tag, long count) {}

  @Override
  public void describe(Topology topology) {
    var updates =
        topology.from(
            Kafka.source("profile-updates")
                .value(TextSerde.<ProfileUpdate>named("text:profile-update"))
                .eventTime(ProfileUpdate::at));
    var skillTags = updates.filter(u -> u.section() == Section.SKILL).flatMap(ProfileUpdate::tags);
    var jobTags = updates.filter(u -> u.section() == Section.JOB).flatMap(ProfileUpdate::tags);

    skillTags
        .merge(jobTags)
        .groupBy("by-tag", tag -> tag)
        .window(Windows.tumbling(ofSeconds(10)).allowedLateness(ZERO))
        .count("tag-counts")
        .topK("trending", 10, r -> new Trend(r.window().start(), r.rank(), r.key(), r.value()))
        .to(Kafka.sink("trending-tags").value(TextSerde.<Trend>named("text:trend")));
  }
}
