package dev.millrace.benchmarks.redis;

import dev.millrace.benchmarks.scenarios.Event;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.Jedis;

/// Values by id in Redis, read and written many with a request.
final class RemoteValues implements AutoCloseable {
  private final Jedis client;

  RemoteValues(Jedis client) {
    this.client = client;
  }

  /// The values of some ids; of those that have one.
  Map<Long, byte[]> get(Collection<Long> ids) {
    Map<Long, byte[]> values = new HashMap<>();
    if (ids.isEmpty()) {
      return values;
    }
    List<byte[]> answer = client.mget(ids.stream().map(Event::toBytes).toArray(byte[][]::new));
    int at = 0;
    for (long id : ids) {
      byte[] value = answer.get(at++);
      if (value != null) {
        values.put(id, value);
      }
    }
    return values;
  }

  void put(Map<Long, byte[]> values) {
    if (values.isEmpty()) {
      return;
    }
    byte[][] keysAndValues = new byte[2 * values.size()][];
    int at = 0;
    for (Map.Entry<Long, byte[]> each : values.entrySet()) {
      keysAndValues[at++] = Event.toBytes(each.getKey());
      keysAndValues[at++] = each.getValue();
    }
    var _ = client.mset(keysAndValues);
  }

  @Override
  public void close() {
    client.close();
  }
}
