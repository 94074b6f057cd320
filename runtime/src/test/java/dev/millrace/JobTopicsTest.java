package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A topic that was created a moment ago, and one that nobody has created.
class JobTopicsTest {
  private static final TopicInfo KNOWN = new TopicInfo("known", "1", 1, Map.of());
  private static final TopicInfo NEW = new TopicInfo("new", "2", 1, Map.of());

  private int looks;

  /// @param before how many answers do not have the new topic
  private Log log(int before) {
    return (Log)
        Proxy.newProxyInstance(
            Log.class.getClassLoader(),
            new Class<?>[] {Log.class},
            (_, method, _) -> {
              assertEquals("topics", method.getName());
              return ++looks > before ? Map.of("known", KNOWN, "new", NEW) : Map.of("known", KNOWN);
            });
  }

  private Set<String> found(int before, Set<String> required, Duration patience) {
    return JobTopics.find(log(before), Set.of("known", "new"), required, patience).keySet();
  }

  @Test
  void aTopicThatTheBrokerHasNotHeardOfYetIsFound() {
    assertEquals(Set.of("known", "new"), found(3, Set.of("new"), Duration.ofSeconds(30)));
    assertEquals(4, looks);
  }

  @Test
  void aTopicThatMayBeMissingIsNotWaitedFor() {
    assertEquals(Set.of("known"), found(3, Set.of("known"), Duration.ofSeconds(30)));
    assertEquals(1, looks);
  }

  @Test
  void aTopicThatNobodyCreatesIsGivenUp() {
    assertEquals(Set.of("known"), found(Integer.MAX_VALUE, Set.of("new"), Duration.ofMillis(120)));
  }
}
