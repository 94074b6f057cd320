package dev.millrace.internal.zookeeper;

import dev.millrace.spi.Presence;
import java.util.Map;

/// Offers ZooKeeper to programs that do not know it, by [java.util.ServiceLoader].
public final class ZooKeeperPresenceProvider implements Presence.Provider {
  @Override
  public String name() {
    return "zookeeper";
  }

  @Override
  public Presence open(String application, Map<String, String> settings) {
    return new ZooKeeperPresence(application, ZooKeeperSettings.of(settings));
  }
}
