package dev.millrace.internal.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Presence;
import dev.millrace.spi.Presence.Sight;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// On real servers.
@Timeout(120)
class ZooKeeperPresenceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private final AtomicInteger told = new AtomicInteger();

  private Presence open(String connect, String... settings) {
    Map<String, String> all = new HashMap<>(Map.of("connect", connect, "session-timeout", "2s"));
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return new ZooKeeperPresenceProvider().open("counting", all);
  }

  private static void await(String what, BooleanSupplier until) throws InterruptedException {
    long begun = System.nanoTime();
    while (!until.getAsBoolean()) {
      assertTrue(System.nanoTime() - begun < PATIENCE.toNanos(), what);
      Thread.sleep(10);
    }
  }

  private static void awaitSight(Sight sight, Presence of, String member, long life)
      throws InterruptedException {
    await(
        "%s is %s, not %s".formatted(member, of.of(member, life), sight),
        () -> of.of(member, life) == sight);
  }

  private static TestingServer server(int port) throws Exception {
    // Session timeouts are two to twenty ticks.
    return new TestingServer(
        new InstanceSpec(null, port, -1, -1, true, -1, 500, -1, new HashMap<>(), "127.0.0.1"),
        true);
  }

  @Test
  void whoEntersIsPresentAndIsGoneOnceItLeaves() throws Exception {
    try (TestingServer server = server(-1);
        Presence one = open(server.getConnectString())) {
      Presence other = open(server.getConnectString());
      one.enter("a", 1, told::incrementAndGet);
      assertEquals(Sight.UNKNOWN, one.of("b", 7));
      other.enter("b", 7, () -> {});
      awaitSight(Sight.PRESENT, one, "b", 7);
      awaitSight(Sight.PRESENT, other, "b", 7);
      assertEquals(Sight.UNKNOWN, one.of("b", 8), "another life of it");
      assertEquals(Duration.ofSeconds(2), one.patience());
      long before = one.changes();
      int toldBefore = told.get();
      other.close();
      awaitSight(Sight.GONE, one, "b", 7);
      assertTrue(one.changes() > before);
      assertTrue(told.get() > toldBefore);
    }
  }

  @Test
  void nothingIsKnownWhileTheServerIsAwayAndAllIsAsBeforeWhenItIsBack() throws Exception {
    TestingServer server = server(-1);
    try (Presence one = open(server.getConnectString());
        Presence other = open(server.getConnectString())) {
      one.enter("a", 1, told::incrementAndGet);
      other.enter("b", 2, told::incrementAndGet);
      awaitSight(Sight.PRESENT, one, "b", 2);
      server.stop();
      awaitSight(Sight.UNKNOWN, one, "b", 2);
      server.restart();
      awaitSight(Sight.PRESENT, one, "b", 2);
      awaitSight(Sight.PRESENT, other, "a", 1);
    } finally {
      server.close();
    }
  }

  /// As with an application that starts before ZooKeeper does.
  @Test
  void whoStartsWithoutAServerIsPresentOnceThereIsOne() throws Exception {
    int port = InstanceSpec.getRandomPort();
    try (Presence one = open("127.0.0.1:" + port)) {
      one.enter("a", 1, told::incrementAndGet);
      assertEquals(Sight.UNKNOWN, one.of("a", 1));
      try (TestingServer server = server(port)) {
        awaitSight(Sight.PRESENT, one, "a", 1);
      }
    }
  }

  @Test
  void threeServersDoWithoutAnyOfThem() throws Exception {
    try (TestingCluster cluster = new TestingCluster(3)) {
      cluster.start();
      try (Presence one = open(cluster.getConnectString(), "session-timeout", "4s");
          Presence other = open(cluster.getConnectString(), "session-timeout", "4s")) {
        one.enter("a", 1, told::incrementAndGet);
        other.enter("b", 2, told::incrementAndGet);
        awaitSight(Sight.PRESENT, one, "b", 2);
        for (InstanceSpec each : cluster.getInstances()) {
          cluster.killServer(each);
          awaitSight(Sight.PRESENT, one, "b", 2);
          awaitSight(Sight.PRESENT, other, "a", 1);
          cluster.restartServer(each);
        }
      }
    }
  }

  @Test
  void othersMayNotChangeWhatAUserHasMade() throws Exception {
    try (TestingServer server = server(-1);
        Presence one = open(server.getConnectString(), "user", "mill", "password", "race")) {
      one.enter("a", 1, told::incrementAndGet);
      awaitSight(Sight.PRESENT, one, "a", 1);
      try (Presence stranger = open(server.getConnectString())) {
        stranger.enter("b", 2, told::incrementAndGet);
        Thread.sleep(1_000);
        assertEquals(Sight.UNKNOWN, one.of("b", 2));
        assertEquals(Sight.UNKNOWN, stranger.of("a", 1));
      }
    }
  }

  @Test
  void whatIsMissingOrWrongIsSaid() {
    assertSaid("zookeeper.connect is not set", Map.of());
    assertSaid("zookeeper.namespace", Map.of("connect", "h:1", "namespace", "/x"));
    assertSaid("only one is set", Map.of("connect", "h:1", "user", "mill"));
    assertSaid("zookeeper.session-timeout", Map.of("connect", "h:1", "session-timeout", "6"));
  }

  @Test
  void aVariableSetsTheTimeoutToo() {
    assertEquals(
        Duration.ofMillis(1_500),
        ZooKeeperSettings.of(Map.of("connect", "h:1", "session.timeout", "1500ms"))
            .sessionTimeout());
  }

  private static void assertSaid(String what, Map<String, String> settings) {
    String said =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> ZooKeeperSettings.of(settings))
                .getMessage());
    assertTrue(said.contains(what), said);
  }
}
