package dev.millrace.examples.guide;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import org.jspecify.annotations.Nullable;

/// The code of the guide to changing an application: its second version.
final class ChangeGuide implements StreamApplication {
  record Visit(String user, String page) {}

  record Profile(@Was("n") long visits, @Nullable String lastPage) {
    Profile with(Visit visit) {
      return new Profile(visits + 1, visit.page());
    }
  }

  record Money(long cents) {}

  static final Serde<Money> PRICES =
      Serdes.version(2, Serdes.record(Money.class))
          .from(1, Serdes.longs(), cents -> new Money(cents), Money::cents);

  @Override
  public void describe(Topology topology) {
    topology.renamed("profiles", "visitors");

    var visits =
        topology.from(Kafka.source("visits").value(Serdes.record(Visit.class)).startAtEarliest());
    visits
        .groupBy("by-user", Visit::user)
        .aggregate("visitors", () -> new Profile(0, null), Profile::with)
        .toStream()
        .to(Kafka.sink("visitors").key(Serdes.string()).value(Serdes.record(Profile.class)));
    visits
        .groupBy("by-page", Visit::page)
        .count("pages")
        .toStream()
        .to(Kafka.sink("pages").key(Serdes.string()).value(Serdes.longs()));
  }
}
