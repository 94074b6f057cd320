package dev.millrace.benchmarks.redis;

import dev.millrace.api.Output;
import dev.millrace.api.serde.Bytes;
import dev.millrace.benchmarks.localstate.Messages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// Joins with a table: reads the values of the ids that were gathered. Records of the table come
/// before those that need them.
final class RemoteTable extends RemoteProcessor {
  private final Map<Long, byte[]> table = new HashMap<>();
  private final Set<Long> ids = new LinkedHashSet<>();
  private final List<LookUp> lookUps = new ArrayList<>();

  private record LookUp(long id, Bytes record) {}

  RemoteTable(Supplier<RemoteValues> connect, int most) {
    super(connect, most);
  }

  @Override
  void gather(long id, Bytes record) {
    if (Messages.isOfTable(record)) {
      table.put(id, Messages.tableValue(record));
    } else {
      ids.add(id);
      lookUps.add(new LookUp(id, record.copy()));
    }
  }

  @Override
  void ask(RemoteValues opened, Output<byte[]> out) {
    opened.put(table);
    Map<Long, byte[]> values = opened.get(ids);
    for (LookUp each : lookUps) {
      byte[] value = values.get(each.id());
      if (value == null) {
        throw new IllegalStateException("Redis has nothing for id " + each.id());
      }
      out.emit(Messages.joined(each.id(), value, each.record()));
    }
    table.clear();
    ids.clear();
    lookUps.clear();
  }
}
