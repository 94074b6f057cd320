package dev.millrace.internal.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;

/// How to reach ZooKeeper, and as whom.
///
/// @param connect addresses of servers, `host:port`, separated by commas
/// @param namespace the path below which everything lies, without the first slash
/// @param sessionTimeout after which a process that is not heard has ended
/// @param user by whose name and password this process logs in; empty for none
/// @param password of the user
/// @param isOwner whether only who has logged in as this process has may change what it makes
/// @param client of ZooKeeper's own client, by their own names
record ZooKeeperSettings(
    String connect,
    String namespace,
    Duration sessionTimeout,
    String user,
    String password,
    boolean isOwner,
    Map<String, String> client) {
  private static final String PREFIX = "zookeeper.";
  private static final Set<String> ACLS = Set.of("open", "creator");
  private static final Duration SESSION = Duration.ofSeconds(6);

  /// @param settings without `zookeeper.` before their names
  static ZooKeeperSettings of(Map<String, String> settings) {
    Map<String, String> client = new TreeMap<>(settings);
    String byVariable = client.remove("session.timeout"); // variables have no hyphens
    if (byVariable != null) {
      client.putIfAbsent("session-timeout", byVariable);
    }
    String connect = taken(client, "connect", "");
    if (connect.isEmpty()) {
      throw new IllegalArgumentException(
          "cluster.membership is zookeeper, and zookeeper.connect is not set: the addresses of its"
              + " servers, host:port, separated by commas.");
    }
    String namespace = taken(client, "namespace", "millrace");
    if (namespace.isEmpty() || namespace.startsWith("/") || namespace.endsWith("/")) {
      throw new IllegalArgumentException(
          "zookeeper.namespace is '%s'; it must be a path without a slash at its ends."
              .formatted(namespace));
    }
    String user = taken(client, "user", "");
    String password = taken(client, "password", "");
    if (user.isEmpty() != password.isEmpty()) {
      throw new IllegalArgumentException(
          "Of zookeeper.user and zookeeper.password only one is set. Set both or none.");
    }
    String acl = taken(client, "acl", user.isEmpty() ? "open" : "creator");
    if (!ACLS.contains(acl)) {
      throw new IllegalArgumentException(
          "zookeeper.acl is '%s'; it must be open or creator.".formatted(acl));
    }
    Duration timeout = timeout(taken(client, "session-timeout", ""));
    return new ZooKeeperSettings(
        connect, namespace, timeout, user, password, acl.equals("creator"), client);
  }

  private static String taken(Map<String, String> settings, String name, String otherwise) {
    String value = settings.remove(name);
    return value == null ? otherwise : value.strip();
  }

  private static Duration timeout(String text) {
    if (text.isEmpty()) {
      return SESSION;
    }
    try {
      boolean seconds = text.endsWith("s") && !text.endsWith("ms");
      String number = text.replaceFirst("(ms|s)$", "");
      long value = Long.parseLong(number.strip());
      Duration timeout = seconds ? Duration.ofSeconds(value) : Duration.ofMillis(value);
      if (timeout.isPositive() && text.matches(".*\\D")) {
        return timeout;
      }
    } catch (NumberFormatException _) {
      // said below
    }
    throw new IllegalArgumentException(
        "zookeeper.session-timeout is '%s'; it must be a time such as 6s or 1500ms."
            .formatted(text));
  }

  /// Returns the settings of ZooKeeper's own client.
  ZKClientConfig clientConfig() {
    ZKClientConfig config = new ZKClientConfig();
    client.forEach((name, value) -> config.setProperty(PREFIX + name, value));
    return config;
  }

  /// Returns who may do what with the nodes that this process makes: everybody everything, or only
  /// who has logged in as the same user.
  ACLProvider acls() {
    List<ACL> all = isOwner ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    return new ACLProvider() {
      @Override
      public List<ACL> getDefaultAcl() {
        return all;
      }

      @Override
      public List<ACL> getAclForPath(String path) {
        return all;
      }
    };
  }

  /// Shows everything but the password.
  @Override
  public String toString() {
    return "ZooKeeperSettings[connect=%s, namespace=%s, sessionTimeout=%s, user=%s]"
        .formatted(connect, namespace, sessionTimeout, user);
  }
}
