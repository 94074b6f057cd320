package dev.millrace.examples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.cookbook.OwnedExceptions.Deployed;
import dev.millrace.examples.cookbook.OwnedExceptions.Report;
import dev.millrace.examples.cookbook.OwnedExceptions.Service;
import dev.millrace.examples.cookbook.OwnedExceptions.Team;
import dev.millrace.examples.cookbook.OwnedExceptions.Thrown;
import dev.millrace.testkit.job.TestJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnedExceptionsTest {
  private static final List<String> SERVICES = List.of("feed", "ads", "profile", "search", "mail");
  private static final List<String> TEAMS = List.of("red", "green", "blue");

  private record Deployment(String service, Deployed deployed) {}

  /// An exception, and the channel of whoever had its service when it came.
  private record Raised(String service, Thrown thrown, String channel) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void anExceptionHasTheOwnerOfNowAndTheVersionOfThen(long seed) {
    Drawn drawn = new Drawn(seed, 200);
    Map<String, String> teams = new HashMap<>();
    Map<String, String> channels = new HashMap<>();
    List<Deployment> deployments = new ArrayList<>();
    List<Deployment> late = new ArrayList<>();
    List<Raised> raised = new ArrayList<>();
    try (TestJob job = TestJob.of(new OwnedExceptions()).seed(seed)) {
      for (int step = 0; step < 12; step++) {
        String service = drawn.oneOf(SERVICES);
        teams.put(service, drawn.oneOf(TEAMS));
        job.input("services").at(drawn.now()).send(service, new Service(teams.get(service)));
        String team = drawn.oneOf(TEAMS);
        channels.put(team, "#" + team + step);
        job.input("teams").at(drawn.now()).send(team, new Team(channels.get(team)));
        move(job, drawn.now());
        drawn.goOn(job);
        job.process();
        late.forEach(each -> job.input("deployments").send(each.service(), each.deployed()));
        late.clear();
        for (int i = 0; i < 12; i++) {
          String of = drawn.oneOf(SERVICES);
          Instant at = drawn.time(30);
          if (drawn.below(4) == 0) {
            Deployed deployed = new Deployed("version " + deployments.size(), at);
            deployments.add(new Deployment(of, deployed));
            // Some are announced when their exceptions are reported already.
            if (drawn.below(2) == 0) {
              late.add(deployments.getLast());
            } else {
              job.input("deployments").send(of, deployed);
            }
          } else {
            Thrown thrown = new Thrown("java.io.IOException", "number " + raised.size(), at);
            raised.add(new Raised(of, thrown, channels.get(teams.getOrDefault(of, "nobody"))));
            job.input("exceptions").send(of, thrown);
          }
        }
        job.process();
      }
      Instant end = drawn.now().plusSeconds(1200);
      late.forEach(each -> job.input("deployments").send(each.service(), each.deployed()));
      move(job, end);

      Map<String, Report> expected = new TreeMap<>();
      for (Raised each : raised) {
        Thrown thrown = each.thrown();
        expected.put(
            thrown.message(),
            new Report(
                thrown.type(),
                thrown.message(),
                thrown.at(),
                each.channel(),
                version(deployments, each.service(), thrown.at())));
      }
      Map<String, Report> found = new TreeMap<>();
      // A report that is corrected is written again.
      for (Object value : job.output("reports").values()) {
        found.put(((Report) value).message(), (Report) value);
      }
      found.remove("tick");
      assertEquals(expected, found);
      int reports = 0;
      for (Object value : job.output("reports").values()) {
        reports += ((Report) value).message().equals("tick") ? 0 : 1;
      }
      assertTrue(reports > raised.size(), "nothing was corrected");
    }
  }

  /// Has time go on in all partitions, also of topics in which seldom anything happens.
  private static void move(TestJob job, Instant now) {
    job.input("services").at(now).sendToEveryPartition(i -> "tick" + i, new Service("nobody"));
    job.input("teams").at(now).sendToEveryPartition(i -> "nobody" + i, new Team("#nobody"));
    job.input("deployments").sendToEveryPartition(i -> "tick" + i, new Deployed("tick", now));
    job.input("exceptions").sendToEveryPartition(i -> "tick" + i, new Thrown("", "tick", now));
  }

  private static String version(List<Deployment> deployments, String service, Instant at) {
    Deployed last = null;
    for (Deployment each : deployments) {
      Deployed deployed = each.deployed();
      if (each.service().equals(service)
          && !deployed.at().isAfter(at)
          && (last == null || !deployed.at().isBefore(last.at()))) {
        last = deployed;
      }
    }
    return last == null ? null : last.version();
  }
}
