package dev.millrace.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.connector.Start;
import dev.millrace.config.PlacementConfig.Exchanges;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.ConfigException;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.RecordPlace;
import dev.millrace.spi.settings.SizeLimits;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
  @TempDir Path directory;

  private LoadedConfig load(String yaml, Map<String, String> variables, String... flags)
      throws IOException {
    if (!yaml.isEmpty()) {
      Files.writeString(directory.resolve("millrace.yaml"), yaml);
    }
    return new ConfigLoader(directory, variables).load(List.of(flags));
  }

  private String mistakes(String yaml, Map<String, String> variables, String... flags) {
    return assertThrows(ConfigException.class, () -> load(yaml, variables, flags)).getMessage();
  }

  private static Effective effective(LoadedConfig config, String key) {
    return config.effective().stream()
        .filter(each -> each.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nothingGivenIsDefaults() throws IOException {
    LoadedConfig config = load("", Map.of());
    assertEquals(JobConfig.defaults(), config.job());
    assertTrue(config.effective().stream().allMatch(each -> each.origin().equals("default")));
  }

  @Test
  void fileThenVariablesThenFlags() throws IOException {
    String yaml =
        """
        commit:
          interval: 1s
          transaction-timeout: 10s
        memory.budget: 1MB
        """;
    Map<String, String> variables =
        Map.of(
            "MILLRACE_COMMIT_INTERVAL", "2s", "MILLRACE_MEMORY_BUDGET", "2MB", "HOME", "elsewhere");
    LoadedConfig config = load(yaml, variables, "--commit.interval=3s", "--http", "8080");

    assertEquals(Duration.ofSeconds(3), config.job().commit().interval());
    assertEquals(Duration.ofSeconds(10), config.job().commit().transactionTimeout());
    assertEquals(2L << 20, config.job().memory().budget());
    assertEquals(8080, config.job().http().port());
    assertEquals("flag --commit.interval", effective(config, "commit.interval").origin());
    assertEquals("variable MILLRACE_MEMORY_BUDGET", effective(config, "memory.budget").origin());
    assertTrue(
        effective(config, "commit.transaction-timeout").origin().endsWith("millrace.yaml:3"));
    assertEquals("default", effective(config, "topics.create").origin());
  }

  @Test
  void variablesNameSettingsWithDotsAndDashesAlike() throws IOException {
    JobConfig job =
        load(
                "",
                Map.of("MILLRACE_COMMIT_TRANSACTION_TIMEOUT", "7s", "MILLRACE_JAVA_OPTS", "-Xmx1g"))
            .job();
    assertEquals(Duration.ofSeconds(7), job.commit().transactionTimeout());
  }

  @Test
  void propertiesOfKafkaPassThroughAndAreChecked() throws IOException {
    JobConfig job = load("kafka:\n  bootstrap.servers: a:1,b:2\n  linger.ms: 3\n", Map.of()).job();
    assertEquals("a:1,b:2", job.kafka().bootstrap());
    assertEquals(Map.of("linger.ms", "3"), job.kafka().properties());
    assertEquals(
        Map.of("linger.ms", "3", "security.protocol", "SSL"),
        load("", Map.of("MILLRACE_KAFKA_SECURITY_PROTOCOL", "SSL")).job().kafka().properties());
  }

  @Test
  void theDataPlaneIsASettingOfOursAmongTheClientsProperties() throws IOException {
    JobConfig job = load("kafka:\n  data-plane: direct\n  linger.ms: 3\n", Map.of()).job();
    assertEquals(DataPlane.DIRECT, job.kafka().dataPlane());
    assertEquals(Map.of("linger.ms", "3"), job.kafka().properties());
    assertEquals(
        DataPlane.DIRECT,
        load("", Map.of("MILLRACE_KAFKA_DATA_PLANE", "direct")).job().kafka().dataPlane());
    String text = mistakes("kafka.data-plane: both\n", Map.of());
    assertTrue(text.contains("'both'") && text.contains("official"), text);
  }

  @Test
  void exchangesThroughMemoryAreForBadInputThatEndsTheJob() throws IOException {
    assertEquals(Exchanges.TOPICS, load("", Map.of()).job().placement().exchanges());
    assertEquals(
        Exchanges.DIRECT,
        load("placement.exchanges: direct\n", Map.of()).job().placement().exchanges());
    String text = mistakes("placement.exchanges: direct\nerrors.on-error: dead-letter\n", Map.of());
    assertTrue(
        text.contains("placement.exchanges is direct with errors.on-error dead-letter"), text);
  }

  @Test
  void aTransactionTimeoutThatKafkaCannotTakeIsRefusedWithTheLargest() throws IOException {
    assertEquals(
        Duration.ofDays(24),
        load("commit.transaction-timeout: 24d\n", Map.of()).job().commit().transactionTimeout());
    String text = mistakes("commit.transaction-timeout: 25d\n", Map.of());
    assertTrue(text.contains("'25d'"), text);
    assertTrue(text.contains("at most 24d"), text);
    ConfigException failure =
        assertThrows(
            ConfigException.class,
            () -> CommitConfig.defaults().withTransactionTimeout(Duration.ofDays(30)));
    assertTrue(String.valueOf(failure.getMessage()).contains("24 days"), failure::toString);
  }

  @Test
  void everyMistakeIsNamedAtOnceWithItsPlaceAndASuggestion() {
    String text =
        mistakes(
            "comit.interval: 1s\nkafka.acks: 1\n",
            Map.of("MILLRACE_MEMORY_BUDGE", "1MB"),
            "--http=99999",
            "--kafka.linger.m=3",
            "--embeded");
    String[] lines = text.split("\n");
    assertEquals(6, lines.length, text);
    assertTrue(text.contains("millrace.yaml:1: there is no setting 'comit.interval'"), text);
    assertTrue(text.contains("did you mean 'commit.interval'?"), text);
    assertTrue(text.contains("did you mean 'MILLRACE_MEMORY_BUDGET'?"), text);
    assertTrue(text.contains("did you mean '--embedded'?"), text);
    assertTrue(text.contains("did you mean 'linger.ms'?"), text);
    assertTrue(text.contains("millrace.yaml:2: 'acks' cannot be set"), text);
    assertTrue(text.contains("http.port is '99999'; it must be a whole number from -1"), text);
  }

  @Test
  void aSettingThatThereWasIsToldWhatStandsForIt() {
    String text =
        mistakes("state.cache: 1MB\n", Map.of("MILLRACE_STATE_CACHE", "1MB"), "--state.cache=1MB");
    assertEquals(1, text.lines().count(), text);
    assertTrue(
        text.contains("there is no setting 'state.cache'; it is a part of 'memory.budget' now."),
        text);
  }

  @Test
  void memoryIsASizeOrFollowsFromTheProcess() throws IOException {
    assertEquals(MemoryConfig.defaults(), load("", Map.of()).job().memory());
    assertEquals(
        MemoryConfig.of(512 << 20), load("", Map.of(), "--memory", "512MB").job().memory());
    assertEquals(
        MemoryConfig.of(2L << 30).withLimit(3L << 30),
        load("memory.budget: 2GB\nmemory.limit: 3GB\n", Map.of()).job().memory());
    assertTrue(mistakes("memory.budget: 0MB\n", Map.of()).contains("above 0"));
  }

  @Test
  void stateCanBeKeptInMemory() throws IOException {
    assertEquals(
        StateConfig.Storage.MEMORY,
        load("state.storage: memory\n", Map.of()).job().state().storage());
  }

  @Test
  void secretsAreMaskedAndNowhereInMistakes() throws IOException {
    LoadedConfig config = load("kafka.ssl.truststore.password: hunter2\n", Map.of());
    assertEquals("hunter2", config.job().kafka().properties().get("ssl.truststore.password"));
    assertEquals("********", effective(config, "kafka.ssl.truststore.password").value());
    assertFalse(config.effective().toString().contains("hunter2"));
    assertFalse(config.job().toString().contains("hunter2"));

    String text =
        mistakes("", Map.of(), "--kafka.sasl.jaas.config=hunter2", "--kafka.sasl.jas=hunter2");
    assertFalse(text.contains("hunter2"), text);
  }

  @Test
  void formsOfValues() throws IOException {
    JobConfig job =
        load(
                """
                input.start: 2013-01-01T05:00:00Z
                errors:
                  on-error: dead-letter
                  skip: ["a:0:1", "b.c:2:3"]
                state.flush-interval: 5m
                """,
                Map.of())
            .job();
    assertEquals(Start.at(Instant.parse("2013-01-01T05:00:00Z")), job.input().start());
    assertEquals(OnError.DEAD_LETTER, job.errors().onError());
    assertEquals(
        Set.of(new RecordPlace("a", 0, 1), new RecordPlace("b.c", 2, 3)), job.errors().skip());
    assertEquals(Duration.ofMinutes(5), job.state().flushInterval());
  }

  @Test
  void aFlagForAListMayComeSeveralTimes() throws IOException {
    JobConfig job = load("errors.skip: x:0:0\n", Map.of(), "--skip", "a:0:1", "--skip=a:0:2").job();
    assertEquals(
        Set.of(new RecordPlace("a", 0, 1), new RecordPlace("a", 0, 2)), job.errors().skip());
  }

  @Test
  void anAddressSaidLaterWinsOverAnEmbeddedKafkaAndTheOtherWayRound() throws IOException {
    String yaml = "embedded.directory: here\n";
    JobConfig asked = load(yaml, Map.of("MILLRACE_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092")).job();
    assertNull(asked.embedded().directory());
    assertEquals("kafka:9092", asked.kafka().bootstrap());

    JobConfig embedded =
        load(yaml, Map.of("MILLRACE_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092"), "--embedded").job();
    assertEquals(EmbeddedConfig.DIRECTORY, embedded.embedded().directory());
    assertEquals("", embedded.kafka().bootstrap());
  }

  /// Processes need no numbers; whoever gives one of an earlier version is told.
  @Test
  void aProcessIsGivenNoNumber() {
    assertTrue(
        mistakes("", Map.of(), "--container=0").contains("there is no setting 'container'"),
        mistakes("", Map.of(), "--container=0"));
  }

  @Test
  void whatIsNoSettingAtAllIsSaidSo() {
    assertTrue(mistakes("", Map.of(), "earliest").contains("'earliest' is no setting"));
    assertTrue(mistakes("", Map.of(), "--config=none.yaml").contains("does not exist"));
    assertTrue(mistakes("a: [\n", Map.of()).contains("is no YAML"));
    assertTrue(
        mistakes("commit.interval: 1s\ncommit: {interval: 2s}\n", Map.of()).contains("set at"));
    assertTrue(mistakes("", Map.of(), "--skip").contains("needs a value"));
  }

  @Test
  void everySettingReadsTheDefaultItShows() {
    for (Setting<?> setting : Settings.ALL) {
      if (setting.byDefault() != null) {
        assertEquals(
            setting.byDefault(),
            setting.form().reader().apply(setting.defaultText()),
            setting.key());
      }
      assertTrue(ConfigLoader.describe().contains(setting.about()), setting.key());
    }
  }

  @Test
  void theTableOfSettingsHasEachWithItsFlagAndDefault() throws IOException {
    List<String> rows =
        Files.readAllLines(Path.of("..", "docs", "settings.md")).stream()
            .filter(line -> line.matches("\\| `[a-z-]+(\\.[a-z.-]+)?` \\|.*"))
            .toList();
    assertEquals(Settings.ALL.size(), rows.size());
    for (int i = 0; i < rows.size(); i++) {
      Setting<?> setting = Settings.ALL.get(i);
      String flag = setting.flag().isEmpty() ? "" : "`" + setting.flag() + "` ";
      String start = "| `" + setting.key() + "` | " + flag + "|";
      assertTrue(rows.get(i).startsWith(start), rows.get(i));
      if (!setting.defaultText().isEmpty()) {
        String withDefault = start + " `" + setting.defaultText() + "` |";
        assertTrue(rows.get(i).startsWith(withDefault), rows.get(i));
      }
    }
  }

  @Test
  void anAddressThatOthersReachNeedsATokenWhichIsMasked() throws IOException {
    String yaml = "http:\n  port: 8080\n  host: 0.0.0.0\n";
    assertTrue(mistakes(yaml, Map.of()).contains("there is no http.token"));
    LoadedConfig config = load(yaml, Map.of("MILLRACE_HTTP_TOKEN", "a-token-of-some-length"));
    assertEquals("a-token-of-some-length", config.job().http().token());
    assertEquals("********", effective(config, "http.token").value());
  }

  @Test
  void limitsOfSizesAreGivenForAllAndByName() throws IOException {
    SizeLimits sizes =
        load(
                """
                state:
                  max-key: 1KB
                  max-value: 2MB
                  max-value-of: orders=8MB, offers=900 KB
                exchanges.max-record-of: by-customer=64MB
                """,
                Map.of())
            .job()
            .state()
            .sizes();
    assertEquals(
        new SizeLimits(
            1 << 10,
            2 << 20,
            Map.of("orders", 8 << 20, "offers", 900 << 10),
            1 << 20,
            Map.of("by-customer", 64 << 20)),
        sizes);
    for (String wrong : List.of("65MB", "0B", "8", "big")) {
      String told =
          assertThrows(
                  ConfigException.class,
                  () -> load("state.max-value-of: a=1MB,b=" + wrong + "\n", Map.of()))
              .getMessage();
      assertTrue(told.contains("state.max-value-of") && told.contains("at most 64MB"), told);
    }
    StateConfig state = StateConfig.defaults();
    SizeLimits large = SizeLimits.inMemory();
    assertThrows(IllegalArgumentException.class, () -> state.withSizes(large));
  }
}
