package dev.millrace.examples.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example on a day of random activity, beside plain loops over it.
class MemberActivityTest {
  private static final Instant DAY = Instant.parse("2026-05-04T00:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration EVERY = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMinutes(30);

  @TempDir Path directory;

  /// One thing that a member did.
  private record Did(Instant time, String member, String what, boolean isApplication) {
    String line() {
      return "%s,%s,%s".formatted(time, member, what);
    }
  }

  @Test
  void pagesAndVisitsAreThoseOfPlainLoops() throws IOException {
    List<Did> all = day(new Random(20));
    Path views = write("views", all.stream().filter(each -> !each.isApplication()));
    Path applications = write("applications", all.stream().filter(Did::isApplication));

    MemberActivity.main(
        new String[] {
          "--runner=MillraceRunner",
          "--jobName=activity",
          "--views=" + views,
          "--applications=" + applications,
          "--output=" + directory
        });

    List<String> visits = visits(all);
    assertTrue(
        visits.stream().anyMatch(line -> line.matches(".*,page-.*,job-.*")), visits.toString());
    assertEquals(pages(all), written("pages"));
    assertEquals(visits, written("visits"));
  }

  /// Members come, do something every few minutes for a while, and pause: often for just as long as
  /// ends a visit, or for a second less.
  private static List<Did> day(Random random) {
    List<Did> all = new ArrayList<>();
    for (int member = 0; member < 8; member++) {
      Instant now = DAY.plusSeconds(random.nextInt(7_200));
      while (now.isBefore(DAY.plus(Duration.ofDays(1)))) {
        boolean applies = random.nextInt(5) == 0;
        String what = applies ? "job-" + random.nextInt(20) : "page-" + random.nextInt(6);
        all.add(new Did(now, "member-" + member, what, applies));
        now =
            now.plusSeconds(
                switch (random.nextInt(20)) {
                  case 0 -> random.nextInt(9_000);
                  case 1 -> PAUSE.toSeconds() - random.nextInt(2);
                  default -> random.nextInt(600);
                });
      }
    }
    return all;
  }

  private Path write(String name, Stream<Did> lines) throws IOException {
    return Files.write(directory.resolve(name + ".csv"), lines.map(Did::line).toList());
  }

  private List<String> written(String name) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith(name + "-")) {
          lines.addAll(Files.readAllLines(file));
        }
      }
    }
    return lines.stream().sorted().toList();
  }

  private static List<String> pages(List<Did> all) {
    Map<String, Integer> counted = new TreeMap<>();
    for (Did each : all) {
      long millis = each.time().toEpochMilli();
      long first = millis - Math.floorMod(millis, EVERY.toMillis()) + EVERY.toMillis();
      for (long end = first; end - HOUR.toMillis() <= millis; end += EVERY.toMillis()) {
        if (!each.isApplication()) {
          counted.merge(shown(Instant.ofEpochMilli(end)) + "," + each.what(), 1, Integer::sum);
        }
      }
    }
    return counted.entrySet().stream()
        .map(each -> each.getKey() + "," + each.getValue())
        .sorted()
        .toList();
  }

  private static List<String> visits(List<Did> all) {
    Map<String, List<Did>> byMember = new TreeMap<>();
    for (Did each : all) {
      byMember.computeIfAbsent(each.member(), _ -> new ArrayList<>()).add(each);
    }
    List<String> lines = new ArrayList<>();
    for (List<Did> of : byMember.values()) {
      of.sort(Comparator.comparing(Did::time));
      List<Did> visit = new ArrayList<>();
      for (Did each : of) {
        if (!visit.isEmpty() && !each.time().isBefore(visit.getLast().time().plus(PAUSE))) {
          lines.add(visit(visit));
          visit.clear();
        }
        visit.add(each);
      }
      lines.add(visit(visit));
    }
    return lines.stream().sorted().toList();
  }

  private static String visit(List<Did> done) {
    return "%s,%s,%s,%s"
        .formatted(
            shown(done.getFirst().time()),
            done.getFirst().member(),
            what(done, false),
            what(done, true));
  }

  private static String what(List<Did> done, boolean applications) {
    return String.join(
        " ",
        done.stream()
            .filter(each -> each.isApplication() == applications)
            .map(Did::what)
            .sorted()
            .toList());
  }

  /// A time as Joda shows it.
  private static String shown(Instant time) {
    return org.joda.time.Instant.ofEpochMilli(time.toEpochMilli()).toString();
  }
}
