package dev.millrace.internal.kafka.client;

import dev.millrace.kafka.DataPlane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/// Checks the user's properties for Kafka's clients against the definitions of the clients, and
/// returns for each client the properties that it knows.
public final class KafkaProperties {

  /// A problem of a property.
  ///
  /// @param name the property
  /// @param message what is wrong and what to do, without the value of anything that may be secret
  public record Problem(String name, String message) {}

  private static final String PROVIDERS = "config.providers";
  private static final String JAAS = "sasl.jaas.config";

  private static final List<ConfigDef> DEFINITIONS =
      List.of(
          ConsumerConfig.configDef(), ProducerConfig.configDef(), AdminClientConfig.configDef());

  /// Code that a property may name although it comes from a configuration file.
  private static final Set<String> CONFIG_PROVIDERS =
      Set.of(
          "org.apache.kafka.common.config.provider.DirectoryConfigProvider",
          "org.apache.kafka.common.config.provider.EnvVarConfigProvider",
          "org.apache.kafka.common.config.provider.FileConfigProvider");

  private static final Set<String> LOGIN_MODULES =
      Set.of(
          "com.sun.security.auth.module.Krb5LoginModule",
          "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule",
          "org.apache.kafka.common.security.plain.PlainLoginModule",
          "org.apache.kafka.common.security.scram.ScramLoginModule");

  /// Properties that cannot be set, and why.
  static final Map<String, String> OWNED = owned();

  /// Properties without effect on the requests of [DataPlane#DIRECT]: these are sent without delay,
  /// are retried until their timeout, check every record, and go only to leaders.
  static final Set<String> OFFICIAL_ONLY =
      Set.of(
          "check.crcs",
          "client.rack",
          "default.api.timeout.ms",
          "enable.metrics.push",
          "linger.ms",
          "max.poll.records",
          "metadata.max.idle.ms",
          "metric.reporters",
          "metrics.num.samples",
          "metrics.recording.level",
          "metrics.sample.window.ms",
          "retries");

  private KafkaProperties() {}

  private static Map<String, String> owned() {
    Map<String, String> owned = new HashMap<>();
    String elsewhere = "it has a setting of its own";
    owned.put("bootstrap.servers", elsewhere);
    owned.put("bootstrap.controllers", "Millrace talks to brokers");
    owned.put("client.id", "it is derived from the names of application and container");
    String format = "Millrace reads and writes bytes by itself";
    for (String side : List.of("serializer", "deserializer")) {
      owned.put("key." + side, format);
      owned.put("value." + side, format);
    }
    owned.put("interceptor.classes", format);
    String transactions = "Millrace names and ends its transactions";
    owned.put("transactional.id", transactions);
    owned.put("transaction.timeout.ms", transactions);
    owned.put("transaction.two.phase.commit.enable", transactions);
    String once = "transactions need its default";
    owned.put("enable.idempotence", once);
    owned.put("acks", once);
    owned.put("max.in.flight.requests.per.connection", once);
    owned.put("isolation.level", "Millrace reads only what is committed");
    String positions = "Millrace keeps the positions of its input in its commits";
    owned.put("enable.auto.commit", positions);
    owned.put("auto.commit.interval.ms", positions);
    owned.put("auto.offset.reset", positions + ", and never jumps");
    String group = "Millrace places the partitions itself, without a consumer group";
    for (String name :
        List.of(
            "group.id",
            "group.instance.id",
            "group.protocol",
            "group.remote.assignor",
            "partition.assignment.strategy",
            "session.timeout.ms",
            "heartbeat.interval.ms",
            "max.poll.interval.ms",
            "share.acknowledgement.mode",
            "share.acquire.mode")) {
      owned.put(name, group);
    }
    String partitions = "Millrace chooses the partition of every record";
    owned.put("partitioner.class", partitions);
    owned.put("partitioner.adaptive.partitioning.enable", partitions);
    owned.put("partitioner.availability.timeout.ms", partitions);
    owned.put("partitioner.ignore.keys", partitions);
    owned.put("allow.auto.create.topics", "topics are never created by reading them");
    owned.put("exclude.internal.topics", "topics are read by name");
    return Map.copyOf(owned);
  }

  /// Returns the problems of some properties, ordered by name; empty if there are none.
  public static List<Problem> problems(Map<String, String> properties) {
    List<Problem> found = new ArrayList<>();
    new TreeMap<>(properties)
        .forEach((name, value) ->
            problem(name, value, properties).ifPresent(text -> found.add(new Problem(name, text))));
    return found;
  }

  private static Optional<String> problem(
      String name, String value, Map<String, String> properties) {
    String reason = OWNED.get(name);
    if (reason != null) {
      return Optional.of("'%s' cannot be set: %s.".formatted(name, reason));
    }
    if (name.startsWith(PROVIDERS + ".")) {
      return problemOfProvider(name, value);
    }
    if (DEFINITIONS.stream().noneMatch(each -> each.configKeys().containsKey(name))) {
      Set<String> known = new TreeSet<>();
      DEFINITIONS.forEach(each -> known.addAll(each.configKeys().keySet()));
      known.removeAll(OWNED.keySet());
      return Optional.of(
          "'%s' is not a property of a Kafka client%s"
              .formatted(
                  name,
                  NearestName.of(name, known)
                      .map(near -> "; did you mean '" + near + "'?")
                      .orElse(".")));
    }
    boolean provided = value.contains("${") && properties.containsKey(PROVIDERS);
    if (name.equals(JAAS)) {
      return problemOfLogin(provided ? LoginModules.inTemplate(value) : LoginModules.in(value));
    }
    // What a provider gives is checked when the client is made.
    return provided ? Optional.empty() : problemOfValue(name, value);
  }

  private static Optional<String> problemOfProvider(String name, String value) {
    if (name.endsWith(".class") && !CONFIG_PROVIDERS.contains(value)) {
      return Optional.of(
          "'%s' is '%s'; allowed are %s.".formatted(name, value, new TreeSet<>(CONFIG_PROVIDERS)));
    }
    return Optional.empty();
  }

  /// @param modules that are named; nothing if the value is not as it should be
  private static Optional<String> problemOfLogin(Optional<List<String>> modules) {
    if (modules.isEmpty()) {
      return Optional.of(
          "'%s' is not a list of login modules. Give one such as: org.apache.kafka.common.security.plain"
                  .formatted(JAAS)
              + ".PlainLoginModule required username=\"...\" password=\"...\";");
    }
    return modules.get().stream()
        .filter(module -> !LOGIN_MODULES.contains(module))
        .findFirst()
        .map(module ->
            "'%s' names the login module '%s'; allowed are %s."
                .formatted(JAAS, module, new TreeSet<>(LOGIN_MODULES)));
  }

  private static Optional<String> problemOfValue(String name, String value) {
    for (ConfigDef definition : DEFINITIONS) {
      ConfigDef.ConfigKey key = definition.configKeys().get(name);
      if (key == null) {
        continue;
      }
      try {
        Object parsed = ConfigDef.parseType(name, value, key.type);
        if (key.validator != null) {
          key.validator.ensureValid(name, parsed);
        }
      } catch (ConfigException e) {
        String why = key.type == ConfigDef.Type.PASSWORD ? "it is not valid" : e.getMessage();
        return Optional.of("'%s' has a value that is not valid: %s".formatted(name, why));
      }
    }
    return Optional.empty();
  }

  /// Returns the properties that have no effect with a data plane, ordered by name.
  public static List<String> withoutEffect(DataPlane plane, Map<String, String> properties) {
    return plane == DataPlane.OFFICIAL
        ? List.of()
        : properties.keySet().stream().filter(OFFICIAL_ONLY::contains).sorted().toList();
  }

  /// Returns the properties that a client with this definition knows, and those that its providers
  /// need.
  public static Map<String, Object> knownTo(ConfigDef definition, Map<String, String> properties) {
    Map<String, Object> known = new HashMap<>();
    properties.forEach((name, value) -> {
      if (definition.configKeys().containsKey(name) || name.startsWith(PROVIDERS + ".")) {
        known.put(name, value);
      }
    });
    return known;
  }
}
