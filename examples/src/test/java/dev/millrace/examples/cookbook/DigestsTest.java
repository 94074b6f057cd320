package dev.millrace.examples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.cookbook.Digests.Digest;
import dev.millrace.examples.cookbook.Digests.Opened;
import dev.millrace.examples.cookbook.Digests.Outcome;
import dev.millrace.examples.cookbook.Digests.Readers;
import dev.millrace.examples.cookbook.Digests.Sent;
import dev.millrace.examples.cookbook.Digests.Settings;
import dev.millrace.examples.cookbook.Digests.Update;
import dev.millrace.testkit.job.TestJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestsTest {
  private static final List<String> MEMBERS = List.of("ann", "bob", "eve", "joe", "kim", "lea");

  private record MemberUpdate(String member, Update update) {}

  private record MemberSettings(String member, Settings settings) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void eachUpdateIsInOneDigestOfTheSizeThatItsMemberHadSet(long seed) {
    Drawn drawn = new Drawn(seed, 300);
    List<MemberUpdate> updates = new ArrayList<>();
    List<MemberSettings> settings = new ArrayList<>();
    try (TestJob job = TestJob.of(new Digests()).seed(seed)) {
      for (int step = 0; step < 12; step++) {
        for (int i = 0; i < 12; i++) {
          String member = drawn.oneOf(MEMBERS);
          if (drawn.below(6) == 0) {
            Settings set = new Settings(1 + drawn.below(3), drawn.time(300));
            settings.add(new MemberSettings(member, set));
            job.input("settings").send(member, set);
          } else {
            Update update = new Update("update " + updates.size(), drawn.time(300));
            updates.add(new MemberUpdate(member, update));
            job.input("updates").send(member, update);
          }
        }
        drawn.goOn(job);
      }
      Instant end = drawn.now().plus(Duration.ofHours(4));
      job.input("updates").sendToEveryPartition(i -> "nobody" + i, new Update("end", end));
      job.input("settings").sendToEveryPartition(i -> "nobody" + i, new Settings(1, end));

      List<Digest> expected = digests(updates, settings, end.minus(Duration.ofMinutes(20)));
      assertTrue(expected.size() > 10, expected.toString());
      assertEquals(sorted(expected), sorted(values(job, "digests", Digest.class)));
      for (String member : MEMBERS) {
        // None was sent twice.
        assertEquals(
            expected.stream().filter(digest -> digest.member().equals(member)).count(),
            job.output("digests").records().stream()
                .filter(record -> member.equals(record.key()))
                .count());
      }
    }
  }

  /// @param until windows that end later have not come yet
  private static List<Digest> digests(
      List<MemberUpdate> updates, List<MemberSettings> settings, Instant until) {
    Map<String, List<Update>> windows = new TreeMap<>();
    for (MemberUpdate each : updates) {
      int hours = 24;
      Instant since = Instant.MIN;
      for (MemberSettings set : settings) {
        Instant at = set.settings().since();
        if (set.member().equals(each.member())
            && !at.isAfter(each.update().at())
            && !at.isBefore(since)) {
          since = at;
          hours = set.settings().hours();
        }
      }
      long window = each.update().at().getEpochSecond() / (hours * 3600L);
      windows
          .computeIfAbsent(each.member() + " " + hours + " " + window, _ -> new ArrayList<>())
          .add(each.update());
    }
    List<Digest> digests = new ArrayList<>();
    windows.forEach((window, those) -> {
      String[] parts = window.split(" ");
      long seconds = Long.parseLong(parts[1]) * 3600;
      Instant from = Instant.ofEpochSecond(Long.parseLong(parts[2]) * seconds);
      those.sort(Comparator.comparing(Update::at).thenComparing(Update::text));
      Instant to = from.plusSeconds(seconds);
      if (!to.isAfter(until)) {
        digests.add(new Digest(parts[0], from, to, those.stream().map(Update::text).toList()));
      }
    });
    return digests;
  }

  private static List<Digest> sorted(List<Digest> digests) {
    return digests.stream()
        .sorted(
            Comparator.comparing(Digest::member)
                .thenComparing(Digest::from)
                .thenComparing(Digest::to))
        .toList();
  }

  private static <T> List<T> values(TestJob job, String topic, Class<T> type) {
    return job.output(topic).values().stream().map(type::cast).toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aMailIsReadIfItIsOpenedWithinTwoDays(long seed) {
    Drawn drawn = new Drawn(seed, 1);
    Map<String, Sent> sent = new HashMap<>();
    Map<String, List<Instant>> opened = new HashMap<>();
    try (TestJob job =
        TestJob.of(new Digests()).seed(seed).startingAt(Drawn.START.plus(Duration.ofDays(30)))) {
      for (int step = 0; step < 10; step++) {
        for (int i = 0; i < 10; i++) {
          Instant at = drawn.time(14_000);
          if (sent.isEmpty() || drawn.below(2) == 0) {
            Sent mail = new Sent(drawn.below(2) == 0 ? 4 : 24, at);
            job.input("sent-mails").send("mail" + sent.size(), mail);
            sent.put("mail" + sent.size(), mail);
          } else {
            String mail = "mail" + (sent.size() - 1 - drawn.below(Math.min(30, sent.size())));
            job.input("opened-mails").send(mail, new Opened(at));
            opened.computeIfAbsent(mail, _ -> new ArrayList<>()).add(at);
          }
        }
        drawn.goOn(job);
      }
      Instant end = drawn.now().plus(Duration.ofDays(5));
      job.input("sent-mails").sendToEveryPartition(i -> "end" + i, new Sent(1000, end));
      job.input("opened-mails").sendToEveryPartition(i -> "end" + i, new Opened(end));

      Map<String, Readers> expected = readers(sent, opened);
      assertTrue(expected.size() > 5, expected.toString());
      Map<String, Readers> found = new TreeMap<>();
      for (Readers readers : values(job, "readers", Readers.class)) {
        found.put(readers.outcome().hours() + " " + readers.day(), readers);
      }
      assertEquals(expected, found);
    }
  }

  /// A mail counts on the day on which it was opened, or two days after it was sent.
  private static Map<String, Readers> readers(
      Map<String, Sent> sent, Map<String, List<Instant>> opened) {
    Map<String, Readers> readers = new TreeMap<>();
    sent.forEach((mail, each) -> {
      Instant last = each.at().plus(Duration.ofDays(2));
      Instant counted = last;
      long read = 0;
      for (Instant at : opened.getOrDefault(mail, List.of())) {
        if (!at.isBefore(each.at()) && !at.isAfter(last) && !at.isAfter(counted)) {
          counted = at;
          read = 1;
        }
      }
      Instant day = Instant.ofEpochSecond(counted.getEpochSecond() / 86_400 * 86_400);
      Outcome outcome = new Outcome(each.hours(), 1, read);
      readers.merge(
          each.hours() + " " + day,
          new Readers(day, outcome),
          (a, b) ->
              new Readers(
                  day,
                  new Outcome(
                      each.hours(),
                      a.outcome().sent() + b.outcome().sent(),
                      a.outcome().read() + b.outcome().read())));
    });
    return readers;
  }
}
