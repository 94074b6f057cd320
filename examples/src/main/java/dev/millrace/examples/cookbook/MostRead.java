package dev.millrace.examples.cookbook;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;

/// The most read articles of each hour, with their titles.
public final class MostRead implements StreamApplication {
  private static final int PLACES = 3;

  /// A member read an article.
  public record Read(String article, String member, Instant at) {}

  /// What an article is called now.
  public record Article(String title) {}

  /// A place in the ranking of an hour.
  public record Place(Instant hour, int rank, String article, long reads) {
    String name() {
      return hour + "/" + rank;
    }
  }

  /// A place with the title of what holds it.
  public record Best(Instant hour, int rank, String title, long reads) {
    static Best of(Place place, Article article) {
      return new Best(place.hour(), place.rank(), article.title(), place.reads());
    }
  }

  @Override
  public void describe(Topology topology) {
    var reads =
        topology.from(
            Kafka.source("reads").value(json(Read.class)).eventTime(Read::at, ofSeconds(5)));
    var articles =
        topology.table(
            "articles", Kafka.source("articles").key(Serdes.string()).value(json(Article.class)));

    var places =
        reads
            .groupBy("by-article", Read::article)
            .window(tumbling(ofHours(1)).allowedLateness(ofMinutes(10)))
            .count("reads-per-hour")
            .topK(
                "ranked", PLACES, r -> new Place(r.window().start(), r.rank(), r.key(), r.value()))
            .groupBy("by-place", Place::name)
            .latest("places");

    places
        .join("most-read", articles, Place::article, (place, article) -> Best.of(place, article))
        .as(json(Best.class))
        .to(Kafka.sink("most-read").key(Serdes.string()).value(json(Best.class)));
  }
}
