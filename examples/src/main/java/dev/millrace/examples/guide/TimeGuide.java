package dev.millrace.examples.guide;

import static dev.millrace.api.Windows.days;
import static dev.millrace.api.Windows.hopping;
import static dev.millrace.api.Windows.sessions;
import static dev.millrace.api.Windows.sizedBy;
import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Grouped;
import dev.millrace.api.Kafka;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;
import java.time.ZoneId;

/// What the guide to time shows.
public final class TimeGuide implements StreamApplication {
  /// When nothing will have been heard of a user for too long.
  private static final StoreSpec<String, Long> SILENT_AT =
      StoreSpec.keyValue("silent-at", Serdes.string(), Serdes.longs());

  /// Somebody looked at a page.
  ///
  /// @param minutesOfDigest how often the user wants to hear of it
  public record View(String user, String page, long millis, int minutesOfDigest, Instant at) {}

  /// How often a page was seen.
  public record Seen(Instant from, Instant to, String page, long views) {}

  /// How many minutes of an hour had a number of views.
  public record Busy(Instant hour, long views, long minutes) {}

  @Override
  public void describe(Topology topology) {
    var views =
        topology.from(
            Kafka.source("views").value(json(View.class)).eventTime(View::at, ofSeconds(5)));

    var perMinute =
        views
            .groupBy("by-page", View::page)
            .window(tumbling(ofMinutes(1)).allowedLateness(ofHours(1)))
            .count("views-per-minute");

    var seen =
        perMinute.results(r -> new Seen(r.window().start(), r.window().end(), r.key(), r.value()));
    seen.to(Kafka.sink("views-per-minute").key(Serdes.string()).value(json(Seen.class)));

    perMinute
        .topK(
            "most-seen",
            10,
            r -> new Seen(r.window().start(), r.window().end(), r.key(), r.value()))
        .to(Kafka.sink("most-seen").value(json(Seen.class)).withRetractions());

    seen.groupBy("by-views", Seen::views)
        .window(tumbling(ofHours(1)))
        .count("minutes-by-views")
        .results(r -> new Busy(r.window().start(), r.key(), r.value()))
        .to(Kafka.sink("busy").key(Serdes.longs()).value(json(Busy.class)));

    ofUsers(views.groupBy("by-user", View::user));
  }

  private static void ofUsers(Grouped<String, View> byUser) {
    byUser
        .window(hopping(ofMinutes(10), ofMinutes(1)))
        .aggregate("time-spent", () -> 0L, (sum, view) -> sum + view.millis())
        .results(r -> r.value())
        .to(Kafka.sink("time-spent").key(Serdes.string()).value(Serdes.longs()));

    byUser
        .window(sessions(ofMinutes(30)))
        .aggregate(
            "time-of-visits",
            Aggregate.invertible(
                () -> 0L,
                (sum, view) -> sum + view.millis(),
                Long::sum,
                (sum, view) -> sum - view.millis()))
        .results(r -> r.value())
        .to(Kafka.sink("time-of-visits").key(Serdes.string()).value(Serdes.longs()));

    byUser
        .window(sizedBy((View view) -> ofMinutes(view.minutesOfDigest())))
        .count("digests")
        .results(r -> r.value())
        .to(Kafka.sink("digests").key(Serdes.string()).value(Serdes.longs()));

    byUser
        .window(tumbling(ofHours(1)).allowedLateness(ofMinutes(10)).onlyFinal())
        .tooLate(
            late -> late.to(Kafka.sink("late-views").key(Serdes.string()).value(json(View.class))))
        .count("views-per-hour")
        .results(r -> r.value())
        .to(Kafka.sink("views-per-hour").key(Serdes.string()).value(Serdes.longs()));

    byUser
        .window(sessions(ofMinutes(30)).allowedLateness(ofHours(2)))
        .count("visits")
        .results(r -> r.value())
        .to(Kafka.sink("visits").key(Serdes.string()).value(Serdes.longs()));

    byUser
        .window(days(ZoneId.of("Europe/Zurich")).early(ofMinutes(5)))
        .count("views-today")
        .results(r -> r.value())
        .to(Kafka.sink("views-today").key(Serdes.string()).value(Serdes.longs()));

    byUser.stream()
        .process("silence", Silence::new, SILENT_AT)
        .to(Kafka.sink("silent").key(Serdes.string()).value(Serdes.string()));
  }

  @SuppressWarnings("NullAway.Init") // open comes first
  private static final class Silence implements Processor<String, View, String> {
    private ProcessorContext<String> context;
    private KeyValueStore<String, Long> due;

    @Override
    public void open(ProcessorContext<String> opened) {
      context = opened;
      due = opened.store(SILENT_AT);
    }

    @Override
    public void process(Records<String, View> records, Output<String> out) {
      while (records.next()) {
        String user = records.value().user();
        Long before = due.get(user);
        if (before != null) {
          context.cancelClockTimer(user, before);
        }
        long at = context.clock() + ofMinutes(10).toMillis();
        context.setClockTimer(user, at);
        due.put(user, at);
      }
    }

    @Override
    public void onClockTimer(String user, long timestamp, Output<String> out) {
      due.delete(user);
      out.emit(user);
    }
  }
}
