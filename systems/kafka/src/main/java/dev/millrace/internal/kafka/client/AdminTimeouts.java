package dev.millrace.internal.kafka.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/// Timeouts of an admin client. It does not accept a call timeout below the request timeout, so the
/// timeouts that the user does not set are derived from those that the user sets.
///
/// @param missing the properties to add to those of the user
/// @param patience how long a call lasts at most
public record AdminTimeouts(Map<String, Object> missing, Duration patience) {
  private static final String CALL = CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG;
  private static final String REQUEST = CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG;

  /// The default for a call in Kafka's admin client.
  private static final Duration OF_KAFKA = Duration.ofSeconds(60);

  public AdminTimeouts {
    missing = Map.copyOf(missing);
  }

  /// @param properties of the user, free of problems
  /// @param usual the default for a call
  public static AdminTimeouts of(Map<String, String> properties, Duration usual) {
    String call = properties.getOrDefault(CALL, "");
    String request = properties.getOrDefault(REQUEST, "");
    if (isProvided(call) || isProvided(request)) {
      // Nobody knows it before the client, which has values that fit for what is missing.
      boolean known = !call.isEmpty() && !isProvided(call);
      return new AdminTimeouts(Map.of(), known ? millis(call) : OF_KAFKA);
    }
    Duration ofRequest = request.isEmpty() ? usual : millis(request);
    Duration ofCall = call.isEmpty() ? max(usual, ofRequest) : millis(call);
    Map<String, Object> missing = new HashMap<>();
    if (call.isEmpty()) {
      missing.put(CALL, Math.toIntExact(ofCall.toMillis()));
    }
    if (request.isEmpty()) {
      Duration shorter = ofCall.compareTo(ofRequest) < 0 ? ofCall : ofRequest;
      missing.put(REQUEST, Math.toIntExact(shorter.toMillis()));
    }
    return new AdminTimeouts(missing, ofCall);
  }

  private static boolean isProvided(String value) {
    return value.contains("${");
  }

  private static Duration millis(String value) {
    return Duration.ofMillis(Integer.parseInt(value.strip()));
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }
}
