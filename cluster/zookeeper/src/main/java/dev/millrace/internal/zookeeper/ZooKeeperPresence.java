package dev.millrace.internal.zookeeper;

import dev.millrace.spi.Presence;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.utils.CloseableUtils;
import org.apache.zookeeper.CreateMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// By an ephemeral node for each process, `/NAMESPACE/APPLICATION/members/MEMBER@LIFE`: it goes
/// with the session of the process that made it. While ZooKeeper cannot be reached, nothing is
/// known of anybody.
final class ZooKeeperPresence implements Presence {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperPresence.class);
  private static final int RETRY_MILLIS = 500;
  private static final int CONNECT_MILLIS = 5_000;
  private static final Duration CLOSE = Duration.ofSeconds(2);

  /// How long it is remembered that a process has ended: much longer than its last sign counts.
  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final ZooKeeperSettings settings;
  private final String members;
  private final CuratorFramework client;
  private final CuratorCache cache;
  private final AtomicLong changes = new AtomicLong();

  /// The names of the nodes that are there.
  private final Set<String> present = ConcurrentHashMap.newKeySet();

  /// By the names of nodes that were there, when they went.
  private final Map<String, Long> gone = new ConcurrentHashMap<>();

  private volatile Runnable changed = () -> {};
  private volatile boolean connected;
  private volatile boolean closed;

  ZooKeeperPresence(String application, ZooKeeperSettings settings) {
    this.settings = settings;
    // A namespace of Curator's would be made by whoever comes first, who would wait for the server.
    members = "/%s/%s/members".formatted(settings.namespace(), application);
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(settings.connect())
            .sessionTimeoutMs(Math.toIntExact(settings.sessionTimeout().toMillis()))
            .connectionTimeoutMs(CONNECT_MILLIS)
            .retryPolicy(new RetryForever(RETRY_MILLIS))
            .zkClientConfig(settings.clientConfig())
            .aclProvider(settings.acls());
    if (!settings.user().isEmpty()) {
      String login = settings.user() + ":" + settings.password();
      builder.authorization("digest", login.getBytes(StandardCharsets.UTF_8));
    }
    client = builder.build();
    cache = CuratorCache.build(client, members);
    client.getConnectionStateListenable().addListener((_, state) -> turned(state));
    cache
        .listenable()
        .addListener(
            CuratorCacheListener.builder()
                .forCreates(this::appeared)
                .forDeletes(this::vanished)
                .build());
    client.start();
    cache.start();
  }

  private void turned(ConnectionState state) {
    boolean now = state.isConnected();
    if (now == connected || closed) {
      return;
    }
    connected = now;
    if (now) {
      LOG.info("ZooKeeper at {} says which processes live.", settings.connect());
    } else {
      LOG.warn(
          "ZooKeeper at {} cannot be reached. Until it can, processes are known to live by what"
              + " they say in Kafka.",
          settings.connect());
    }
    tell();
  }

  private void appeared(ChildData node) {
    String name = name(node);
    present.add(name);
    gone.remove(name);
    tell();
  }

  private void vanished(ChildData node) {
    String name = name(node);
    present.remove(name);
    long now = System.nanoTime();
    gone.values().removeIf(at -> now - at > REMEMBERED_NANOS);
    gone.put(name, now);
    tell();
  }

  private static String name(ChildData node) {
    return node.getPath().substring(node.getPath().lastIndexOf('/') + 1);
  }

  private void tell() {
    changes.incrementAndGet();
    changed.run();
  }

  private static String node(String member, long life) {
    return member + "@" + Long.toHexString(life);
  }

  @Override
  public void enter(String member, long life, Runnable newChanged) {
    changed = newChanged;
    String path = members + "/" + node(member, life);
    new PersistentNode(client, CreateMode.EPHEMERAL, false, path, new byte[0]).start();
  }

  @Override
  public Sight of(String member, long life) {
    if (!connected) {
      return Sight.UNKNOWN;
    }
    String node = node(member, life);
    if (present.contains(node)) {
      return Sight.PRESENT;
    }
    return gone.containsKey(node) ? Sight.GONE : Sight.UNKNOWN;
  }

  @Override
  public long changes() {
    return changes.get();
  }

  @Override
  public Duration patience() {
    int negotiated = client.getZookeeperClient().getLastNegotiatedSessionTimeoutMs();
    return negotiated > 0 ? Duration.ofMillis(negotiated) : settings.sessionTimeout();
  }

  @Override
  public void close() {
    closed = true;
    // The node goes with the session; to have it deleted could take as long as ZooKeeper is away.
    Thread closing =
        Thread.ofVirtual()
            .start(() -> {
              CloseableUtils.closeQuietly(cache);
              CloseableUtils.closeQuietly(client);
            });
    try {
      closing.join(CLOSE);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
