package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.kafka.embedded.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/// A broker on 127.0.0.1, in this process, that lets users in by SCRAM, and has them log in again
/// every so often: over plain connections and over TLS, with a certificate made for it.
final class SecureBroker implements AutoCloseable {
  private static final String MECHANISM = "SCRAM-SHA-256";
  private static final String MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule";
  private static final String STORE_PASSWORD = "of-a-test";
  private static final int ITERATIONS = 4096;

  private final Path directory;
  private final Duration session;
  private final List<Integer> ports;
  private final KafkaRaftServer server;
  private final Admin admin;

  /// @param directory for its data and its certificate
  /// @param session after which a user must log in again
  SecureBroker(Path directory, Duration session) throws Exception {
    this.directory = directory;
    this.session = session;
    ports = List.of(FreePorts.next(), FreePorts.next(), FreePorts.next(), FreePorts.next());
    makeCertificate();
    Path data = Files.createDirectory(directory.resolve("data"));
    new Formatter()
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .setNodeId(1)
        .setClusterId(Uuid.randomUuid().toString())
        .setControllerListenerName("CONTROLLER")
        .setMetadataLogDirectory(data.toString())
        .addDirectory(data.toString())
        .run();
    server = new KafkaRaftServer(KafkaConfig.fromProps(properties(data), false), Time.SYSTEM);
    server.startup();
    admin = Admin.create(Map.of("bootstrap.servers", (Object) address(1)));
  }

  private void makeCertificate() throws IOException, InterruptedException {
    List<String> of =
        List.of("-alias", "broker", "-keystore", store(), "-storepass", STORE_PASSWORD);
    keytool(
        of,
        List.of("-genkeypair", "-keyalg", "EC", "-dname", "CN=broker", "-ext", "san=ip:127.0.0.1"));
    keytool(of, List.of("-exportcert", "-rfc", "-file", certificate()));
  }

  private static void keytool(List<String> of, List<String> what)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(what);
    command.addAll(of);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }

  private String store() {
    return directory.resolve("broker.p12").toString();
  }

  private String certificate() {
    return directory.resolve("broker.pem").toString();
  }

  private String address(int which) {
    return "127.0.0.1:" + ports.get(which);
  }

  private Properties properties(Path data) {
    Properties all = new Properties();
    all.putAll(
        Map.of(
            "process.roles", "broker,controller",
            "node.id", "1",
            "log.dirs", data.toString(),
            "controller.listener.names", "CONTROLLER",
            "controller.quorum.voters", "1@" + address(0),
            "inter.broker.listener.name", "PLAIN",
            "listener.security.protocol.map",
                "CONTROLLER:PLAINTEXT,PLAIN:PLAINTEXT,LOGIN:SASL_PLAINTEXT,SECURE:SASL_SSL"));
    String clients =
        "PLAIN://%s,LOGIN://%s,SECURE://%s".formatted(address(1), address(2), address(3));
    all.put("listeners", "CONTROLLER://" + address(0) + "," + clients);
    all.put("advertised.listeners", clients);
    all.put("sasl.enabled.mechanisms", MECHANISM);
    for (String listener : List.of("login", "secure")) {
      all.put(
          "listener.name.%s.scram-sha-256.sasl.jaas.config".formatted(listener),
          MODULE + " required;");
    }
    all.put("connections.max.reauth.ms", Long.toString(session.toMillis()));
    all.put("ssl.keystore.location", store());
    all.put("ssl.keystore.password", STORE_PASSWORD);
    for (String single :
        List.of(
            "offsets.topic.replication.factor",
            "transaction.state.log.replication.factor",
            "transaction.state.log.min.isr",
            "offsets.topic.num.partitions",
            "transaction.state.log.num.partitions",
            "add.partitions.to.txn.retry.backoff.ms")) {
      all.put(single, "1");
    }
    all.put("group.initial.rebalance.delay.ms", "0");
    all.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 << 20));
    return all;
  }

  /// Where users log in.
  String servers(boolean tls) {
    return address(tls ? 3 : 2);
  }

  /// What a client must know to be let in.
  Map<String, String> properties(boolean tls, String user, String password) {
    Map<String, String> properties = new HashMap<>();
    properties.put("security.protocol", tls ? "SASL_SSL" : "SASL_PLAINTEXT");
    properties.put("sasl.mechanism", MECHANISM);
    properties.put(
        "sasl.jaas.config",
        "%s required username=\"%s\" password=\"%s\";".formatted(MODULE, user, password));
    if (tls) {
      properties.put("ssl.truststore.type", "PEM");
      properties.put("ssl.truststore.location", certificate());
    }
    return properties;
  }

  /// From now on the user has this password.
  void password(String user, String password) throws ExecutionException, InterruptedException {
    ScramCredentialInfo how = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, ITERATIONS);
    admin
        .alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(user, how, password)))
        .all()
        .get();
  }

  /// How often users have logged in again over a connection that they had.
  double reauthentications(boolean tls) throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    String listener = tls ? "SECURE" : "LOGIN";
    double all = 0;
    for (ObjectName each :
        beans.queryNames(
            new ObjectName(
                "kafka.server:type=socket-server-metrics,networkProcessor=*,listener=" + listener),
            null)) {
      all += (double) beans.getAttribute(each, "successful-reauthentication-total");
    }
    return all;
  }

  @Override
  public void close() {
    admin.close();
    server.shutdown();
    server.awaitShutdown();
  }
}
