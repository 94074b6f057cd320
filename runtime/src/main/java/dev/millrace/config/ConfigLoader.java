package dev.millrace.config;

import dev.millrace.api.OnError;
import dev.millrace.internal.kafka.client.KafkaProperties;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.ConfigException;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.SizeLimits;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Puts a configuration together. Later wins: defaults, the file `millrace.yaml`, variables, flags.
///
/// The file is `millrace.yaml` in the current directory, if there is one, or the one that
/// `--config` names. The variable of `a.b-c` is `MILLRACE_A_B_C`, its flag `--a.b-c`. Every key
/// must exist, and every value must fit; otherwise nothing is loaded and all mistakes are named at
/// once.
public final class ConfigLoader {
  private static final String FILE = "millrace.yaml";

  private final Path directory;
  private final Map<String, String> variables;

  /// @param directory the current one
  /// @param variables the environment
  public ConfigLoader(Path directory, Map<String, String> variables) {
    this.directory = directory;
    this.variables = Map.copyOf(variables);
  }

  /// @param arguments of the command line
  /// @throws ConfigException if anything is wrong
  public LoadedConfig load(List<String> arguments) {
    Flags flags = Flags.read(arguments);
    List<List<Given>> levels =
        List.of(file(flags.file()), Environment.read(variables), flags.found());
    return new Reading(withOneKafka(levels)).config();
  }

  /// An address of Kafka and an embedded Kafka exclude each other, so the later one wins as if they
  /// were one setting. Both at the same level are left to be refused.
  private static List<Given> withOneKafka(List<List<Given>> levels) {
    Set<String> places = Set.of(Settings.BOOTSTRAP.key(), Settings.EMBEDDED_DIRECTORY.key());
    List<Given> all = new ArrayList<>();
    for (List<Given> level : levels) {
      if (level.stream().anyMatch(each -> places.contains(each.key()))) {
        all.removeIf(each -> places.contains(each.key()));
      }
      all.addAll(level);
    }
    return all;
  }

  private List<Given> file(@Nullable String asked) {
    if (asked == null) {
      // Said as a person would: the name, not the whole path.
      Path usual = directory.resolve(FILE);
      return Files.exists(usual) ? YamlFile.read(usual) : List.of();
    }
    Path file = directory.resolve(asked);
    if (!Files.exists(file)) {
      throw new ConfigException("%s, which --config names, does not exist.".formatted(file));
    }
    return YamlFile.read(file);
  }

  /// Every key and its meaning, for help: key, short flag, default and what it is, a line each.
  public static String describe() {
    StringBuilder text = new StringBuilder();
    for (Setting<?> setting : Settings.ALL) {
      String flag = setting.flag().isEmpty() ? "" : " (" + setting.flag() + ")";
      String byDefault = setting.defaultText().isEmpty() ? "" : " [" + setting.defaultText() + "]";
      text.append(
          "  %s%s%s%n      %s%n".formatted(setting.key(), flag, byDefault, setting.about()));
    }
    text.append(
        "  kafka.NAME%n      Any property of Kafka's clients, such as kafka.security.protocol.%n"
            .formatted());
    return text.toString();
  }

  /// One pass over what was given.
  private static final class Reading {
    private final Map<String, Given> given = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    Reading(List<Given> all) {
      for (Given each : all) {
        Given before = given.get(each.key());
        // A flag for a list may come several times.
        if (each.key().equals(Settings.SKIP.key())
            && before != null
            && before.origin().equals(each.origin())) {
          String both = before.text() + "," + each.text();
          given.put(each.key(), new Given(each.key(), each.name(), both, each.origin()));
        } else {
          given.put(each.key(), each);
        }
      }
    }

    LoadedConfig config() {
      checkKeys();
      JobConfig job =
          new JobConfig(
              kafka(),
              placement(),
              new CommitConfig(
                  value(Settings.COMMIT_INTERVAL),
                  value(Settings.LATENCY_TARGET),
                  value(Settings.GUARANTEE),
                  value(Settings.TRANSACTION_TIMEOUT)),
              new MemoryConfig(optional(Settings.MEMORY_BUDGET), optional(Settings.MEMORY_LIMIT)),
              new StateConfig(
                  value(Settings.STATE_DIRECTORY),
                  value(Settings.FLUSH_INTERVAL),
                  value(Settings.STORAGE),
                  new SizeLimits(
                      value(Settings.MAX_KEY),
                      value(Settings.MAX_VALUE),
                      value(Settings.MAX_VALUE_OF),
                      value(Settings.MAX_RECORD),
                      value(Settings.MAX_RECORD_OF)),
                  value(Settings.ACCEPT)),
              new RecoveryConfig(
                  value(Settings.RECOVERY_TARGET),
                  value(Settings.COMPACTION),
                  value(Settings.MANAGE_TOPICS)),
              new SnapshotConfig(
                  optional(Settings.SNAPSHOT_STORE), value(Settings.SNAPSHOT_INTERVAL)),
              new InputConfig(
                  optional(Settings.START), value(Settings.IDLE_AFTER), value(Settings.ALIGNMENT)),
              new ErrorConfig(
                  value(Settings.ON_ERROR), value(Settings.DEAD_LETTERS), value(Settings.SKIP)),
              new TopicsConfig(value(Settings.CREATE_TOPICS)),
              http(),
              new StopConfig(value(Settings.STOP_TIMEOUT)));
      if (!problems.isEmpty()) {
        throw new ConfigException(String.join("\n", problems));
      }
      return new LoadedConfig(job, effective());
    }

    private void checkKeys() {
      Set<String> known = new TreeSet<>(Settings.BY_KEY.keySet());
      for (Given each : given.values()) {
        if (!known.contains(each.key()) && !each.key().startsWith(Settings.KAFKA)) {
          problems.add(
              "%s: there is no setting '%s'%s"
                  .formatted(each.origin(), each.key(), Suggestion.of(each, known)));
        }
      }
    }

    private KafkaConfig kafka() {
      Map<String, String> properties = new TreeMap<>();
      for (Given each : given.values()) {
        if (each.key().startsWith(Settings.KAFKA) && !Settings.OWN_OF_KAFKA.contains(each.key())) {
          properties.put(each.key().substring(Settings.KAFKA.length()), each.text());
        }
      }
      for (KafkaProperties.Problem problem : KafkaProperties.problems(properties)) {
        Given at = given.get(Settings.KAFKA + problem.name());
        problems.add((at == null ? "" : at.origin() + ": ") + problem.message());
      }
      EmbeddedConfig embedded =
          new EmbeddedConfig(optional(Settings.EMBEDDED_DIRECTORY), value(Settings.EMBEDDED_PORT));
      return new KafkaConfig(
          value(Settings.BOOTSTRAP), embedded, properties, value(Settings.DATA_PLANE));
    }

    private PlacementConfig placement() {
      PlacementConfig placement =
          new PlacementConfig(
              value(Settings.CONTAINER),
              value(Settings.CONTAINERS),
              value(Settings.WORKERS),
              value(Settings.TAKE_OVER),
              value(Settings.EXCHANGES));
      if (placement.container() >= placement.containers()) {
        problems.add(
            "%s is %d of %s %d: containers are numbered from 0, so the last one is %d."
                .formatted(
                    Settings.CONTAINER.key(),
                    placement.container(),
                    Settings.CONTAINERS.key(),
                    placement.containers(),
                    placement.containers() - 1));
      }
      if (placement.exchanges() == PlacementConfig.Exchanges.DIRECT) {
        checkDirect(placement);
      }
      return placement;
    }

    private void checkDirect(PlacementConfig placement) {
      if (placement.containers() > 1) {
        problems.add(
            "%s is direct with %s %d: only in one container can records go through memory. Set it to topics."
                .formatted(
                    Settings.EXCHANGES.key(), Settings.CONTAINERS.key(), placement.containers()));
      }
      OnError onError = value(Settings.ON_ERROR);
      if (onError != OnError.FAIL) {
        problems.add(
            "%s is direct with %s %s: a record that came through memory has no offset by which it could be passed over. Set the one to topics or the other to fail."
                .formatted(
                    Settings.EXCHANGES.key(),
                    Settings.ON_ERROR.key(),
                    Settings.ON_ERROR.form().writer().apply(onError)));
      }
    }

    private HttpConfig http() {
      HttpConfig http =
          new HttpConfig(
              value(Settings.HTTP_PORT), value(Settings.HTTP_HOST), value(Settings.HTTP_TOKEN));
      if (!http.problem().isEmpty()) {
        problems.add(http.problem());
      }
      return http;
    }

    private <T> T value(Setting<T> setting) {
      T value = optional(setting);
      if (value == null) {
        throw new IllegalArgumentException(setting.key() + " has no default");
      }
      return value;
    }

    /// The value as it was given; the default if it was not, or is wrong, which is noted.
    private <T> @Nullable T optional(Setting<T> setting) {
      Given text = given.get(setting.key());
      if (text == null) {
        return setting.byDefault();
      }
      T value = setting.form().reader().apply(text.text().strip());
      if (value == null) {
        problems.add(
            "%s: %s is '%s'; it must be %s."
                .formatted(text.origin(), setting.key(), text.text(), setting.form().expected()));
        return setting.byDefault();
      }
      return value;
    }

    private List<Effective> effective() {
      List<Effective> all = new ArrayList<>();
      for (Setting<?> setting : Settings.ALL) {
        Given text = given.get(setting.key());
        all.add(
            text == null
                ? new Effective(setting.key(), setting.defaultText(), "default")
                : new Effective(setting.key(), shown(text), text.origin()));
      }
      for (Given each : new TreeMap<>(given).values()) {
        if (!Settings.BY_KEY.containsKey(each.key())) {
          all.add(new Effective(each.key(), shown(each), each.origin()));
        }
      }
      return List.copyOf(all);
    }

    private static String shown(Given given) {
      return Secrets.isSecret(given.key()) ? Secrets.MASK : given.text();
    }
  }
}
