package dev.millrace.examples.change;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serdes;
import dev.millrace.examples.change.Records.AnyVisit;
import dev.millrace.examples.change.Records.Room;
import java.time.Duration;
import java.time.Instant;

/// The versions of an application, each of which is a change of the one before. It keeps what each
/// user has done, and what was done in each room, of which each user has one; and it counts the
/// visits of each floor in windows of event time. An input is `USER NUMBER WEIGHT MILLIS`, with the
/// number of the visit among those of this user.
enum Version {
  FIRST("profiles", false, Records.Small::describe),
  OPERATOR_ADDED("profiles", true, Records.Small::describe),
  FIELD_ADDED("profiles", true, Records.Paged::describe),
  OPERATOR_RENAMED("accounts", true, Records.Paged::describe),
  WIDENED("accounts", true, Records.Wide::describe),
  OPERATOR_REMOVED("accounts", false, Records.Wide::describe),
  MIGRATED("accounts", false, Records.Migrated::describe),
  /// The windows are longer.
  WINDOWED("accounts", false, Records.Migrated::describe),
  OPERATOR_BACK("accounts", true, Records.Migrated::describe);

  static final String NAME = "visits";
  static final String IN = NAME + "-in";
  static final String ACCOUNTS = NAME + "-accounts";
  static final String ROOMS = NAME + "-rooms";
  static final String WINDOWS = NAME + "-windows";
  static final int WINDOW_SECONDS = 10;

  static final int OUT_PARTITIONS = 2;

  // The function that gives the keys is a part of the plan, so all versions have the same.
  private static final Mapper<AnyVisit, String> BY_USER = visit -> visit.user();
  private static final Mapper<AnyVisit, String> BY_ROOM = visit -> room(visit.user());
  private static final Mapper<AnyVisit, String> BY_FLOOR = visit -> floor(visit.user());

  private final String accounts;
  private final boolean withRooms;
  private final Program program;

  /// Describes a version.
  @FunctionalInterface
  interface Program {
    /// @param accounts what the operator is called that keeps what users have done
    void describe(Version version, Topology topology, String accounts);
  }

  Version(String accounts, boolean withRooms, Program program) {
    this.accounts = accounts;
    this.withRooms = withRooms;
    this.program = program;
  }

  static String room(String user) {
    return "room-" + user;
  }

  static String floor(String user) {
    return "floor-" + Integer.parseInt(user.substring(1)) % 3;
  }

  /// Whether it has the operator that is added, removed, and put back.
  boolean hasRooms() {
    return withRooms;
  }

  /// Whether its accounts have no page.
  boolean isSmall() {
    return compareTo(FIELD_ADDED) < 0;
  }

  /// This version as an application.
  private record Visits(Version version) implements StreamApplication {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void describe(Topology topology) {
      version.describe(topology);
    }
  }

  StreamApplication application() {
    return new Visits(this);
  }

  private void describe(Topology topology) {
    if (!accounts.equals("profiles")) {
      topology.renamed("profiles", accounts);
    }
    program.describe(this, topology, accounts);
  }

  /// What all versions have.
  <V extends Record & AnyVisit, P extends Record> void describe(
      Topology topology, Mapper<String, V> visit, Records.Accounts<V, P> kept) {
    var visits =
        topology
            .from(
                Kafka.source(IN)
                    .value(Serdes.string())
                    .eventTime(line -> Instant.ofEpochMilli(Long.parseLong(line.split(" ")[3])))
                    .startAtEarliest())
            .map(visit);
    var table =
        visits.groupBy("by-user", BY_USER).aggregate(accounts, kept.empty(), kept.aggregator());
    (kept.serde() == null ? table : table.as(kept.serde()))
        .toStream()
        .mapValues(kept.text())
        .to(sink(ACCOUNTS));
    visits
        .groupBy("by-floor", BY_FLOOR)
        .window(
            Windows.tumbling(Duration.ofSeconds(this == WINDOWED ? 60 : WINDOW_SECONDS))
                .allowedLateness(Duration.ZERO))
        .count("busy")
        .results(result -> result.window().start().getEpochSecond() + "=" + result.value())
        .to(sink(WINDOWS));
    if (withRooms) {
      visits
          .groupBy("by-room", BY_ROOM)
          .aggregate("rooms", () -> new Room(0, 0, 0), Room::with)
          .toStream()
          .mapValues(room -> "%d %d %d".formatted(room.last(), room.n(), room.sum()))
          .to(sink(ROOMS));
    }
  }

  private static KafkaKeyedSink<String, String> sink(String topic) {
    return Kafka.sink(topic).partitions(OUT_PARTITIONS).key(Serdes.string()).value(Serdes.string());
  }
}
