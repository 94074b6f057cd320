package dev.millrace.internal.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Presence;
import dev.millrace.spi.Presence.Sight;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.login.Configuration;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// On a real server that lets only those in who show who they are.
@Isolated
@Timeout(120)
class SecureZooKeeperTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final Duration WHILE = Duration.ofSeconds(2);
  private static final String JAAS = "java.security.auth.login.config";

  @TempDir private Path directory;

  private static TestingServer server(Map<String, Object> properties) throws Exception {
    return new TestingServer(
        new InstanceSpec(null, -1, -1, -1, true, -1, 500, -1, properties, "127.0.0.1"), true);
  }

  private static Presence open(String connect, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("connect", connect);
    return new ZooKeeperPresenceProvider().open("counting", all);
  }

  private static void awaitPresent(Presence of) throws InterruptedException {
    long begun = System.nanoTime();
    while (of.of("a", 1) != Sight.PRESENT) {
      assertTrue(System.nanoTime() - begun < PATIENCE.toNanos(), "It is not seen.");
      Thread.sleep(10);
    }
  }

  private static void assertNotSeen(Presence of) throws InterruptedException {
    of.enter("b", 2, () -> {});
    Thread.sleep(WHILE);
    assertEquals(Sight.UNKNOWN, of.of("b", 2));
  }

  @Test
  void aProcessLogsInBySasl() throws Exception {
    Path jaas = directory.resolve("jaas.conf");
    Files.writeString(
        jaas,
        """
        Server {
          org.apache.zookeeper.server.auth.DigestLoginModule required user_mill="race";
        };
        Client {
          org.apache.zookeeper.server.auth.DigestLoginModule required username="mill" password="race";
        };
        """);
    System.setProperty(JAAS, jaas.toString());
    Configuration.setConfiguration(null);
    try (TestingServer server =
            server(
                Map.of(
                    "authProvider.1",
                    "org.apache.zookeeper.server.auth.SASLAuthenticationProvider"));
        Presence one =
            open(server.getConnectString(), Map.of("acl", "creator", "fips-mode", "false"))) {
      one.enter("a", 1, () -> {});
      awaitPresent(one);
      Map<String, String> nobody = Map.of("sasl.client", "false");
      try (Presence stranger = open(server.getConnectString(), nobody)) {
        assertNotSeen(stranger);
        assertEquals(Sight.UNKNOWN, stranger.of("a", 1));
      }
    } finally {
      System.clearProperty(JAAS);
      Configuration.setConfiguration(null);
    }
  }

  @Test
  void aProcessConnectsByTls() throws Exception {
    Path keys = store("keys.p12", "-genkeypair", "-keyalg", "EC", "-dname", "CN=127.0.0.1");
    Path certificate = directory.resolve("server.crt");
    keytool(keys, "-exportcert", "-file", certificate.toString());
    Path trusted =
        store("trusted.p12", "-importcert", "-noprompt", "-file", certificate.toString());
    int port = InstanceSpec.getRandomPort();
    Map<String, Object> properties =
        Map.of(
            "secureClientPort",
            Integer.toString(port),
            "secureClientPortAddress",
            "127.0.0.1",
            "serverCnxnFactory",
            "org.apache.zookeeper.server.NettyServerCnxnFactory",
            "ssl.keyStore.location",
            keys.toString(),
            "ssl.keyStore.password",
            PASSWORD,
            "ssl.trustStore.location",
            trusted.toString(),
            "ssl.trustStore.password",
            PASSWORD,
            "ssl.hostnameVerification",
            "false");
    Map<String, String> client =
        Map.of(
            "client.secure",
            "true",
            "clientCnxnSocket",
            "org.apache.zookeeper.ClientCnxnSocketNetty",
            "ssl.keyStore.location",
            keys.toString(),
            "ssl.keyStore.password",
            PASSWORD,
            "ssl.trustStore.location",
            trusted.toString(),
            "ssl.trustStore.password",
            PASSWORD,
            "ssl.hostnameVerification",
            "false");
    try (TestingServer server = server(properties);
        Presence one = open("127.0.0.1:" + port, client)) {
      one.enter("a", 1, () -> {});
      awaitPresent(one);
      try (Presence stranger = open("127.0.0.1:" + port, Map.of())) {
        assertNotSeen(stranger);
      }
    }
  }

  private static final String PASSWORD = "of-the-test";

  private Path store(String name, String... command) throws IOException, InterruptedException {
    Path store = directory.resolve(name);
    keytool(store, command);
    return store;
  }

  private static void keytool(Path store, String... command)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    all.addAll(List.of(command));
    all.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD, "-alias", "server"));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }
}
