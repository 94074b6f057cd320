package dev.millrace.config;

import dev.millrace.internal.kafka.client.KafkaProperties;
import dev.millrace.spi.settings.ConfigException;
import dev.millrace.spi.settings.OnError;
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

  /// Creates a loader, which reads nothing yet.
  ///
  /// @param directory the current one
  /// @param variables the environment
  public ConfigLoader(Path directory, Map<String, String> variables) {
    this.directory = directory;
    this.variables = Map.copyOf(variables);
  }

  /// Returns the configuration of a start in the directory.
  ///
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
    Set<String> places = Set.of(Settings.BOOTSTRAP, Settings.EMBEDDED_DIRECTORY);
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

  /// Returns every key and its meaning, for help: key, short flag, default and what it is.
  public static String describe() {
    StringBuilder text = new StringBuilder();
    for (Setting<?> setting : Settings.ALL) {
      String flag = setting.flag().isEmpty() ? "" : " (" + setting.flag() + ")";
      String byDefault = setting.defaultText().isEmpty() ? "" : " [" + setting.defaultText() + "]";
      text.append(
          "  %s%s%s%n      %s%n".formatted(setting.key(), flag, byDefault, setting.about()));
    }
    text.append(
        """
          kafka.NAME
              Any property of Kafka's clients, such as kafka.security.protocol.
          zookeeper.NAME
              Where ZooKeeper is, such as zookeeper.connect, and any property of its client.
        """);
    return text.toString();
  }

  /// One pass over what was given.
  private static final class Reading {
    private final Map<String, Given> given = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    Reading(List<Given> all) {
      for (Given each : all) {
        Given before = given.get(each.key());
        Setting<?> setting = Settings.BY_KEY.get(each.key());
        // A flag for a list may come several times.
        if (setting != null
            && setting.isList()
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
      JobConfig job = withProperties(JobConfig.defaults());
      for (Setting<?> setting : Settings.ALL) {
        job = with(job, setting);
      }
      checkPlacement(job);
      String problem = job.http().problem();
      if (!problem.isEmpty()) {
        problems.add(problem);
      }
      if (!problems.isEmpty()) {
        throw new ConfigException(String.join("\n", problems));
      }
      return new LoadedConfig(job, effective());
    }

    /// Returns the configuration with the value that was given. One that is wrong is noted.
    private <T> JobConfig with(JobConfig job, Setting<T> setting) {
      Given text = given.get(setting.key());
      if (text == null) {
        return job;
      }
      T value = setting.form().reader().apply(text.text().strip());
      if (value == null) {
        problems.add(
            "%s: %s is '%s'; it must be %s."
                .formatted(text.origin(), setting.key(), text.text(), setting.form().expected()));
        return job;
      }
      return setting.with().apply(job, value);
    }

    /// Returns the configuration with what is passed on to others. Wrong properties of Kafka's
    /// clients are noted.
    private JobConfig withProperties(JobConfig job) {
      Map<String, String> properties = passed(Settings.CLIENTS);
      for (KafkaProperties.Problem problem : KafkaProperties.problems(properties)) {
        Given at = given.get(Settings.CLIENTS + problem.name());
        problems.add((at == null ? "" : at.origin() + ": ") + problem.message());
      }
      return job.withKafka(job.kafka().withProperties(properties))
          .withCluster(job.cluster().withProperties(passed(Settings.ZOOKEEPER)));
    }

    /// Returns what is passed on as it is, by its names without what they start with.
    private Map<String, String> passed(String prefix) {
      Map<String, String> properties = new TreeMap<>();
      for (Given each : given.values()) {
        if (each.key().startsWith(prefix) && isPassed(each)) {
          properties.put(each.key().substring(prefix.length()), each.text());
        }
      }
      return properties;
    }

    private static boolean isPassed(Given each) {
      boolean starts =
          each.key().startsWith(Settings.CLIENTS) || each.key().startsWith(Settings.ZOOKEEPER);
      return starts && !Settings.BY_KEY.containsKey(each.key());
    }

    private void checkKeys() {
      Set<String> known = new TreeSet<>(Settings.BY_KEY.keySet());
      for (Given each : given.values()) {
        if (!known.contains(each.key()) && !isPassed(each)) {
          problems.add(
              "%s: there is no setting '%s'%s"
                  .formatted(each.origin(), each.key(), Suggestion.of(each, known)));
        }
      }
    }

    private void checkPlacement(JobConfig job) {
      PlacementConfig placement = job.placement();
      if (placement.exchanges() != PlacementConfig.Exchanges.DIRECT) {
        return;
      }
      OnError onError = job.errors().onError();
      if (onError != OnError.FAIL) {
        problems.add(
            "placement.exchanges is direct with errors.on-error %s: a record that came through memory has no offset by which it could be passed over. Set the one to topics or the other to fail."
                .formatted(Forms.oneOf(OnError.class).writer().apply(onError)));
      }
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
