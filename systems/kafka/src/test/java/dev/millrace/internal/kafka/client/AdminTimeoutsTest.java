package dev.millrace.internal.kafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

class AdminTimeoutsTest {
  private static final Duration USUAL = Duration.ofSeconds(10);

  private static final Map<String, String> LONG_REQUEST = Map.of("request.timeout.ms", "30000");
  private static final Map<String, String> SHORT_REQUEST = Map.of("request.timeout.ms", "2000");
  private static final Map<String, String> LONG_CALL = Map.of("default.api.timeout.ms", "40000");
  private static final Map<String, String> SHORT_CALL = Map.of("default.api.timeout.ms", "4000");
  private static final Map<String, String> BOTH =
      Map.of("default.api.timeout.ms", "50000", "request.timeout.ms", "20000");

  @Test
  void whatTheUserSaysHoldsAndPatienceFollowsIt() {
    assertEquals(USUAL, AdminTimeouts.of(Map.of(), USUAL).patience());
    assertEquals(Duration.ofSeconds(30), AdminTimeouts.of(LONG_REQUEST, USUAL).patience());
    assertEquals(USUAL, AdminTimeouts.of(SHORT_REQUEST, USUAL).patience());
    assertEquals(Duration.ofSeconds(40), AdminTimeouts.of(LONG_CALL, USUAL).patience());
    assertEquals(Duration.ofSeconds(4), AdminTimeouts.of(SHORT_CALL, USUAL).patience());
    assertEquals(Duration.ofSeconds(50), AdminTimeouts.of(BOTH, USUAL).patience());
    assertEquals(Map.of(), AdminTimeouts.of(BOTH, USUAL).missing());
  }

  @Test
  void theClientTakesWhateverTheUserSays() {
    for (Map<String, String> properties :
        List.of(
            Map.<String, String>of(), LONG_REQUEST, SHORT_REQUEST, LONG_CALL, SHORT_CALL, BOTH)) {
      Map<String, Object> all = new HashMap<>(properties);
      all.putAll(AdminTimeouts.of(properties, USUAL).missing());
      all.put("bootstrap.servers", "127.0.0.1:1");
      Admin.create(all).close(Duration.ZERO);
    }
  }

  @Test
  void aTimeoutOfAProviderIsLeftToTheClient() {
    AdminTimeouts timeouts =
        AdminTimeouts.of(Map.of("request.timeout.ms", "${env:REQUEST_TIMEOUT}"), USUAL);
    assertEquals(Map.of(), timeouts.missing());
    assertEquals(Duration.ofSeconds(60), timeouts.patience());
  }
}
