package dev.millrace.internal.yarn.cluster;

import dev.millrace.kafka.embedded.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kerby.KOptions;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.client.KrbOption;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/// A server of Kerberos in this process, which knows the daemons of Hadoop, all as the same
/// principal, and who submits applications.
public final class Kerberos implements AutoCloseable {
  private static final String REALM = "MILLRACE.TEST";
  private static final String DAEMONS = "hadoop/localhost@" + REALM;

  /// Who submits applications.
  public static final String USER = HadoopDaemons.USER + "@" + REALM;

  private final Path directory;
  private final int port;
  private final SimpleKdcServer server;

  public Kerberos(Path directory) throws IOException, KrbException {
    this.directory = Files.createDirectories(directory);
    port = FreePorts.next();
    server = new SimpleKdcServer();
    server.setWorkDir(directory.toFile());
    server.setKdcRealm(REALM);
    server.setKdcHost("127.0.0.1");
    server.setAllowUdp(false);
    server.setKdcTcpPort(port);
    server.getKdcConfig().setLong(KdcConfigKey.MINIMUM_TICKET_LIFETIME, 1L);
    server.init();
    server.start();
    server.createAndExportPrincipals(file("daemons.keytab"), DAEMONS);
    server.createAndExportPrincipals(keytab().toFile(), USER);
  }

  private File file(String name) {
    return directory.resolve(name).toFile();
  }

  /// Returns the keytab of who submits applications.
  public Path keytab() {
    return directory.resolve("user.keytab");
  }

  /// Does what `kinit` does; returns the file with the ticket.
  public Path kinit() throws KrbException {
    KOptions options = new KOptions();
    options.add(KrbOption.CLIENT_PRINCIPAL, USER);
    options.add(KrbOption.USE_KEYTAB, true);
    options.add(KrbOption.KEYTAB_FILE, keytab().toFile());
    Path tickets = directory.resolve("tickets");
    server.getKrbClient().storeTicket(server.getKrbClient().requestTgt(options), tickets.toFile());
    return tickets;
  }

  /// Returns the option by which a JVM finds this server.
  ///
  /// @param lifeSeconds how long the tickets live that it asks for
  public String option(int lifeSeconds) throws IOException {
    Path file = directory.resolve("krb5-%d.conf".formatted(lifeSeconds));
    Files.writeString(
        file,
        """
        [libdefaults]
          default_realm = %1$s
          udp_preference_limit = 1
          ticket_lifetime = %2$ds
        [realms]
          %1$s = {
            kdc = 127.0.0.1:%3$d
          }
        """
            .formatted(REALM, lifeSeconds, port));
    return "-Djava.security.krb5.conf=" + file;
  }

  /// Returns the settings of a cluster that asks for Kerberos.
  public Map<String, String> settings() {
    Map<String, String> all = new TreeMap<>();
    all.put("hadoop.security.authentication", "kerberos");
    all.put("hadoop.kerberos.min.seconds.before.relogin", "1");
    all.put("dfs.block.access.token.enable", "true");
    all.put("dfs.data.transfer.protection", "authentication");
    // The data nodes of this test have no ports below 1024, and no certificates.
    all.put("ignore.secure.ports.for.testing", "true");
    all.put("dfs.web.authentication.kerberos.principal", DAEMONS);
    String keytab = file("daemons.keytab").toString();
    all.put("dfs.web.authentication.kerberos.keytab", keytab);
    for (String each : new String[] {"dfs.namenode", "dfs.datanode"}) {
      all.put(each + ".kerberos.principal", DAEMONS);
      all.put(each + ".keytab.file", keytab);
    }
    for (String each : new String[] {"yarn.resourcemanager", "yarn.nodemanager"}) {
      all.put(each + ".principal", DAEMONS);
      all.put(each + ".keytab", keytab);
    }
    return all;
  }

  @Override
  public void close() throws KrbException {
    server.stop();
  }
}
