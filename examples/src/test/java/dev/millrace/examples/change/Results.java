package dev.millrace.examples.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/// Reads the results of all versions as they come, and compares each with a fold of the visits that
/// were written:
///
/// - An account has each visit once, in order. `since` and `page` are those that its versions give.
/// - A room has the visits that came while the program had rooms, each once and in order.
/// - A window of a floor has one result, with all of its visits.
///
/// While one version replaces another one, either may have counted a visit; at all other times it
/// is certain which one has.
final class Results implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int SMALL_COLUMNS = 3;

  /// A time in which one version replaced another one.
  ///
  /// @param from the numbers of the visits that were certainly counted before it, by user
  /// @param to of those that were written before it was over
  /// @param last which of both all processes ran at its end
  private record Rollout(
      Version before, Version after, Map<String, Long> from, Map<String, Long> to, Version last) {}

  private static final class Account {
    long last;
    long sum;
    long since;
  }

  private static final class Room {
    long last;
    long n;
    long sum;
  }

  private final VisitLoad load;
  private final KafkaConsumer<String, String> consumer;
  private final Map<String, Account> accounts = new TreeMap<>();
  private final Map<String, Room> rooms = new TreeMap<>();
  private final Map<String, Long> windows = new TreeMap<>();

  private final List<Rollout> rollouts = new ArrayList<>();
  private long rows;
  private long roomVisits;

  Results(String bootstrap, VisitLoad load) {
    this.load = load;
    VisitLoad.users()
        .forEach(user -> {
          accounts.put(user, new Account());
          rooms.put(user, new Room());
        });
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false),
            new StringDeserializer(),
            new StringDeserializer());
    List<TopicPartition> all =
        Stream.of(Version.ACCOUNTS, Version.ROOMS, Version.WINDOWS)
            .flatMap(topic ->
                IntStream.range(0, Version.OUT_PARTITIONS)
                    .mapToObj(partition -> new TopicPartition(topic, partition)))
            .toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
  }

  private Map<String, Long> seen() {
    Map<String, Long> seen = new HashMap<>();
    accounts.forEach((user, account) -> seen.put(user, account.last));
    return seen;
  }

  /// From now on a version replaces another one.
  void begin(Version before, Version after) {
    Map<String, Long> open = new HashMap<>();
    VisitLoad.users().forEach(user -> open.put(user, Long.MAX_VALUE));
    rollouts.add(new Rollout(before, after, seen(), open, after));
  }

  /// All processes run this version now.
  void end(Version version) {
    Rollout last = rollouts.removeLast();
    rollouts.add(new Rollout(last.before(), last.after(), last.from(), load.last(), version));
  }

  /// The versions that may have counted a visit.
  private Set<Version> versions(String user, long number) {
    Version certain = Version.FIRST;
    for (Rollout each : rollouts) {
      if (number <= each.from().get(user)) {
        break;
      }
      if (number <= each.to().get(user)) {
        return EnumSet.of(each.before(), each.after());
      }
      certain = each.last();
    }
    return EnumSet.of(certain);
  }

  /// Reads and compares what is there by now.
  void read() {
    for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
      rows++;
      String where =
          "%s-%d at offset %d: %s %s, after %s"
              .formatted(
                  record.topic(),
                  record.partition(),
                  record.offset(),
                  record.key(),
                  record.value(),
                  rollouts);
      switch (record.topic()) {
        case Version.ACCOUNTS -> account(record.key(), record.value().split(" "), where);
        case Version.ROOMS ->
            room(
                record.key().substring(Version.room("").length()),
                record.value().split(" "),
                where);
        default -> window(record.key(), record.value().split("="), where);
      }
    }
  }

  private void account(String user, String[] row, String where) {
    Account account = accounts.get(user);
    account.last++;
    account.sum += load.weight(user, account.last);
    assertEquals(account.last, Long.parseLong(row[0]), where);
    assertEquals(account.last, Long.parseLong(row[1]), where);
    assertEquals(account.sum, Long.parseLong(row[2]), where);
    boolean isSmall = row.length == SMALL_COLUMNS;
    Set<Version> by = versions(user, account.last);
    assertTrue(by.stream().anyMatch(each -> each.isSmall() == isSmall), where);
    if (isSmall) {
      account.since = 0;
      return;
    }
    account.since++;
    assertEquals(account.since, Long.parseLong(row[3]), where);
    // A container with the version before it sends visits without a page.
    boolean mayBeNone = by.stream().anyMatch(each -> each.isSmall());
    String page = "page-" + account.last;
    assertTrue(row[4].equals(page) || (mayBeNone && row[4].equals("null")), where);
  }

  private void room(String user, String[] row, String where) {
    Room room = rooms.get(user);
    long number = Long.parseLong(row[0]);
    assertTrue(number > room.last, where);
    for (long missed = room.last + 1; missed < number; missed++) {
      String visit = "Visit %d is missing before %s".formatted(missed, where);
      assertTrue(versions(user, missed).stream().anyMatch(each -> !each.hasRooms()), visit);
    }
    assertTrue(versions(user, number).stream().anyMatch(each -> each.hasRooms()), where);
    room.last = number;
    room.n++;
    room.sum += load.weight(user, number);
    assertEquals(room.n, Long.parseLong(row[1]), where);
    assertEquals(room.sum, Long.parseLong(row[2]), where);
    roomVisits++;
  }

  private void window(String floor, String[] row, String where) {
    String window = floor + " " + row[0];
    assertNull(windows.put(window, Long.parseLong(row[1])), where);
    assertEquals(load.windows().get(window), windows.get(window), where);
  }

  /// Whether accounts, and rooms if there are any, have all of these visits.
  boolean have(Map<String, Long> last, boolean withRooms) {
    return last.entrySet().stream()
        .allMatch(each ->
            accounts.get(each.getKey()).last >= each.getValue()
                && (!withRooms || rooms.get(each.getKey()).last >= each.getValue()));
  }

  /// Whether these are the results of all windows.
  boolean haveWindows(Map<String, Long> all) {
    return windows.keySet().containsAll(all.keySet());
  }

  /// How many windows have a result.
  int windows() {
    return windows.size();
  }

  @Override
  public String toString() {
    return "%d rows compared, %d of them of rooms, %d of windows"
        .formatted(rows, roomVisits, windows.size());
  }

  @Override
  public void close() {
    consumer.close();
  }
}
