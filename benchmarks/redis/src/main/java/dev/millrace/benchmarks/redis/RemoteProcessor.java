package dev.millrace.benchmarks.redis;

import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.serde.Bytes;
import dev.millrace.benchmarks.localstate.Slices;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Gathers records, and asks Redis for what all of them need at once.
///
/// Results go out when the answer is there, under the key of a record behind theirs; what they are
/// about stands in themselves. Redis takes no part in commits: after a crash, what was not
/// committed would be counted again.
abstract class RemoteProcessor implements Processor<Long, Bytes, byte[]> {
  private final Supplier<RemoteValues> connect;
  private final int most;
  private @Nullable RemoteValues values;

  /// @param most records that are gathered
  RemoteProcessor(Supplier<RemoteValues> connect, int most) {
    this.connect = connect;
    this.most = most;
  }

  /// Gathers a record.
  abstract void gather(long id, Bytes record);

  /// Asks for what was gathered, and forgets it.
  abstract void ask(RemoteValues opened, Output<byte[]> out);

  @Override
  public final void open(ProcessorContext<Long> context) {
    values = connect.get();
  }

  @Override
  public final void process(Records<Long, Bytes> records, Output<byte[]> out) {
    RemoteValues opened = Objects.requireNonNull(values);
    long slice = 0;
    int gathered = 0;
    while (records.next()) {
      gather(Objects.requireNonNull(records.key()), records.value());
      slice++;
      if (++gathered == most) {
        ask(opened, out);
        gathered = 0;
      }
    }
    if (gathered > 0) {
      ask(opened, out);
    }
    Slices.done(slice);
  }

  @Override
  public final void close() {
    if (values != null) {
      values.close();
    }
  }
}
