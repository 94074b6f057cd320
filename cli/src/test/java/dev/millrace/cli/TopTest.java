package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.Job;
import dev.millrace.JobState;
import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.HttpConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.FreePorts;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `millrace top` shows.
class TopTest {
  private static final String TOKEN = "a-token-of-some-length";

  private static final Pattern FILTER =
      Pattern.compile(" +filter 1 +Sleeping::sleep +(\\d+) % +([\\d.]+) +[\\d.]+ +██.*");

  @TempDir Path directory;

  /// Sleeps 40 ms for each record.
  private record Sleeping(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").partitions(1).value(Serdes.string()).startAtEarliest())
          .filter(Sleeping::sleep)
          .to(Kafka.sink(name + "-out").partitions(1).value(Serdes.string()));
    }

    private static boolean sleep(String value) {
      try {
        Thread.sleep(40);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return !value.isEmpty();
    }
  }

  private static void write(Sleeping application, int records) {
    SharedTopics.write(
        application.name() + "-in",
        IntStream.range(0, records).mapToObj(Integer::toString).toArray(String[]::new));
  }

  private Command top(String application, String address, String... more) {
    Path config = directory.resolve("top.yaml");
    try {
      Files.writeString(config, "http:\n  token: " + TOKEN + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String[] all =
        IntStream.range(0, 7 + more.length)
            .mapToObj(i ->
                i < 7
                    ? List.of(
                            "top",
                            application,
                            "--http",
                            address,
                            "--config",
                            config.toString(),
                            "--once")
                        .get(i)
                    : more[i - 7])
            .toArray(String[]::new);
    return Command.run(all);
  }

  @Test
  void theOperatorThatTakesTheTimeOfARunningJobIsShown() throws IOException, InterruptedException {
    Sleeping application = new Sleeping(uniqueName("sleeping"));
    SharedTopics.create(application.name() + "-in", 1);
    int port = FreePorts.next();
    JobConfig job =
        JobConfig.of(bootstrapServers())
            .withState(
                StateConfig.in(directory.resolve("state")).withFlushInterval(Duration.ofSeconds(1)))
            .withHttp(HttpConfig.on(port).withToken(TOKEN))
            .withPlacement(PlacementConfig.defaults().withWorkers(1));
    try (Job running = Millrace.start(application, job)) {
      // So that slices are short.
      write(application, 20);
      Patience.await(
          "It does not run.",
          Duration.ofSeconds(30),
          () -> running.state() == JobState.RUNNING && running.metrics().processed() >= 20);
      write(application, 1000);
      String address = "127.0.0.1:" + port;
      // The whole process may stand still for a moment while it is measured, but not each time.
      Patience.await(
          "The share is not that of the time.",
          Duration.ofSeconds(30),
          () -> {
            Command top = top(application.name(), address, "--interval", "2");
            assertEquals(ExitCode.DONE, top.status(), top.out());
            return showsTheShare(application.name(), top.out());
          });
      // Where it is, its signs of life say.
      Command found =
          Command.run(
              "top",
              application.name(),
              "--once",
              "--bootstrap=" + bootstrapServers(),
              "--config=" + directory.resolve("top.yaml"));
      assertEquals(ExitCode.DONE, found.status(), found.out());
      assertTrue(found.out().contains("filter 1"), found.out());
      assertTrue(found.out().contains(": 1 container, 1 worker, RUNNING"), found.out());

      Command another = top("another", address);
      assertEquals(ExitCode.USAGE, another.status());
      assertTrue(another.out().contains("is a container of '" + application.name()), another.out());
      Command withoutToken = Command.run("top", application.name(), "--http", address, "--once");
      assertEquals(ExitCode.USAGE, withoutToken.status());
      assertTrue(withoutToken.out().contains("MILLRACE_HTTP_TOKEN"), withoutToken.out());
    }
  }

  /// Returns whether the share of the time of the operator is what its rate makes of 40 ms a
  /// record.
  private static boolean showsTheShare(String application, String out) {
    out.lines().forEach(line -> assertTrue(line.length() <= 80, line));
    assertEquals(
        application + ": 1 container, 1 worker, RUNNING", out.lines().findFirst().orElseThrow());
    String filter = out.lines().filter(line -> line.contains("filter 1")).findFirst().orElseThrow();
    Matcher shown = FILTER.matcher(filter);
    if (!shown.matches()) {
      return false;
    }
    int share = Integer.parseInt(shown.group(1));
    return share > 50 && Math.abs(share - 4 * Double.parseDouble(shown.group(2))) <= 20;
  }

  @Test
  void whereNobodyAnswersThatIsSaid() throws IOException {
    int port = FreePorts.next();
    Command away = top("orders", "127.0.0.1:" + port);
    assertEquals(ExitCode.FAILED, away.status());
    assertTrue(away.out().contains("127.0.0.1:%d does not answer".formatted(port)), away.out());
    Command unknown =
        Command.run("top", uniqueName("none"), "--once", "--bootstrap=" + bootstrapServers());
    assertEquals(ExitCode.USAGE, unknown.status());
    assertTrue(unknown.out().contains("has run on this cluster"), unknown.out());
    assertEquals(
        ExitCode.USAGE, Command.run("top", "orders", "--interval", "0", "--once").status());
  }

  private static Scrape scrape(int container, long seconds, String... samples) {
    String common = "{application=\"orders\",container=\"" + container + "\",";
    StringBuilder text = new StringBuilder("# HELP x y\nother_metric{a=\"b\"} 1\n");
    for (String sample : samples) {
      text.append("millrace_").append(sample.replace("{", common)).append('\n');
    }
    return Scrape.read("host" + container + ":1", seconds * 1_000_000_000, text.toString());
  }

  /// Two operators of stage 0 and one of stage 1, at a second; by then all has grown by as much.
  private static Scrape drawn(int container, long second, double busy) {
    return scrape(
        container,
        second,
        "job_state{state=\"STARTING\"} 0",
        "job_state{state=\"RUNNING\"} 1",
        "commits_total{group=\"0\"} " + second * 5,
        "lag_records{task=\"0-0\"} 12",
        "operator_busy_seconds_total{stage=\"0\",operator=\"source 'in'\"} " + second * 0.1,
        "operator_busy_seconds_total{stage=\"0\",operator=\"map 1\",function=\"A.java:7\"} "
            + second * busy,
        "operator_busy_seconds_total{stage=\"1\",operator=\"sink 'out'\"} 0",
        "operator_rows_in_total{stage=\"0\",operator=\"source 'in'\"} " + second * 20_000,
        "operator_rows_out_total{stage=\"0\",operator=\"source 'in'\"} " + second * 20_000,
        "operator_rows_in_total{stage=\"0\",operator=\"map 1\",function=\"A.java:7\"} "
            + second * 20_000,
        "operator_rows_out_total{stage=\"1\",operator=\"sink 'out'\"} " + second * 7,
        "worker_seconds_total{worker=\"0\",activity=\"operators\"} " + second * (0.1 + busy),
        "worker_seconds_total{worker=\"0\",activity=\"wait-input\"} " + second * (0.9 - busy));
  }

  @Test
  void labelsAreReadAsTheyWereMeant() {
    Scrape scrape =
        Scrape.read(
            "here:1",
            0,
            """
            # HELP millrace_a b
            other{a="b"} 1
            millrace_a{application="a",operator="sink 'x=\\"y\\",\\\\'",x="\\n"} 1.5E-4
            millrace_b{application="a"} 7
            """);
    assertEquals(
        List.of(
            new Scrape.Sample(
                "a",
                Map.of("application", "a", "operator", "sink 'x=\"y\",\\'", "x", "\n"),
                1.5e-4),
            new Scrape.Sample("b", Map.of("application", "a"), 7)),
        scrape.samples());
  }

  @Test
  void sharesAndRatesAreThoseOfAllContainersTogether() {
    TopLines top =
        new TopLines(
            List.of(drawn(0, 10, 0.8), drawn(1, 10, 0.4)),
            List.of(drawn(0, 12, 0.8), drawn(1, 12, 0.4)));
    assertEquals(
        """
        orders: 2 containers, 2 workers, RUNNING
        in 40.0k/s   out 14/s   lag 24   10 commits/s   p99 - since the start
        workers busy: container 0: 90 %; container 1: 50 %

        STAGE, OPERATOR                FUNCTION           BUSY   IN/S  OUT/S
        0  source 'in'                                    10 %  40.0k  40.0k  ▉
           map 1                       A.java:7           60 %  40.0k      0  █████▍
        1  sink 'out'                                      0 %      0     14

           waiting for input                              30 %                ██▊
        """,
        String.join("\n", top.lines(100)) + "\n");
  }

  @Test
  void whatTakesLeastIsLeftOutWhereThereIsLittleRoom() {
    TopLines top = new TopLines(List.of(drawn(0, 10, 0.8)), List.of(drawn(0, 12, 0.8)));
    List<String> lines = top.lines(9);
    assertEquals(9, lines.size(), lines.toString());
    assertTrue(lines.get(5).contains("map 1"), lines.toString());
    assertEquals("   and 2 more that take less", lines.get(6));
  }

  @Test
  void aContainerThatBeganAnewHasNoRatesYet() {
    TopLines top = new TopLines(List.of(drawn(0, 100, 0.8)), List.of(drawn(0, 101, 0.001)));
    assertTrue(
        top.lines(100).get(6).matches(" +map 1 +A.java:7 +0 %.*"), top.lines(100).toString());
    TopLines first = new TopLines(List.of(), List.of(drawn(0, 3, 0.5)));
    assertTrue(first.lines(100).get(6).endsWith("0 %      0      0"), first.lines(100).get(6));
  }

  private static ProcessSign sign(int container, String host, String http, boolean released) {
    return new ProcessSign(
        Integer.toString(container),
        host,
        1,
        Instant.EPOCH,
        http,
        released,
        "p" + container / 2,
        Instant.EPOCH);
  }

  @Test
  void containersThatCannotBeReachedAreNamed() throws IOException, InterruptedException {
    int port = FreePorts.next();
    List<ProcessSign> signs =
        List.of(
            sign(0, "here", "", false),
            sign(1, "there", "127.0.0.1:8080", false),
            sign(2, "there", "127.0.0.1:8080", true),
            sign(3, "here", "127.0.0.1:" + port, false));
    try (Containers containers = Containers.of("orders", signs, "here", "")) {
      assertEquals(List.of(), containers.scrape());
      assertEquals(
          List.of(
              "Container 0 on here serves no metrics. Start it with --http PORT.",
              "Container 1 on there serves metrics only on its own host. Set http.host to serve"
                  + " them to others.",
              "The containers run different versions of the program: plan p0 of 0, 1; plan p1 of"
                  + " 3.",
              "127.0.0.1:%d does not answer: no process listens on that port.".formatted(port)),
          containers.silent());
    }
  }
}
