package dev.millrace.internal.cluster.decide;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Asks for what people want of an application. Waits for the log. Used by one thread.
///
/// What is asked for stands in the topic of the [Decisions] until it is taken back, and whoever
/// leads obeys it.
public final class Requests {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Beside beside;
  private final Clock clock;

  /// @param application the name under which it is stored; its topics must exist
  /// @param pause between two looks
  public Requests(String application, Log log, Clock clock, Runnable pause) {
    beside = new Beside(application, "requests", log, clock, pause, PATIENCE);
    this.clock = clock;
  }

  /// Asks for a member or all members of a host to be drained, or no more: their bundles go to
  /// others, and they get none.
  ///
  /// @param name of a member or a host
  /// @throws LogException if it is not known that this was written
  public void drain(String name, boolean yes) {
    write(Codec.DRAINED + name, yes ? Codec::writeDrained : null);
  }

  /// Asks for a bundle to be moved.
  ///
  /// @param request null takes back what was asked for before
  /// @throws LogException if it is not known that this was written
  public void move(int bundle, @Nullable MoveRequest request) {
    write(Codec.MOVED + bundle, request == null ? null : out -> Codec.write(request, out));
  }

  /// Asks for a bundle to be split in two, or no more. Whoever leads takes the request back when
  /// there is a [Part], or says why it refuses.
  ///
  /// @throws LogException if it is not known that this was written
  public void split(int bundle, boolean yes) {
    write(Codec.SPLIT + bundle, yes ? out -> Codec.write(SplitRequest.OPEN, out) : null);
  }

  /// Forgets which bundles were split, of an application that does not run and keeps nothing.
  ///
  /// @param parts the numbers of those that were split off
  /// @throws LogException if it is not known that this was written
  public void forget(Collection<Integer> parts) {
    if (!parts.isEmpty()) {
      beside.write(
          parts.stream()
              .<Function<Split, RecordBatch>>map(
                  part -> split -> record(split, Codec.PART + part, null))
              .toList());
    }
  }

  /// Asks a process to restart.
  ///
  /// @param request null takes back what was asked for before, if the process has not begun
  /// @throws LogException if it is not known that this was written
  public void restart(String home, @Nullable RestartRequest request) {
    write(Codec.RESTART + home, request == null ? null : out -> Codec.write(request, out));
  }

  private void write(String key, @Nullable Consumer<BytesWriter> value) {
    beside.write(List.of(split -> record(split, key, value)));
  }

  private RecordBatch record(Split split, String key, @Nullable Consumer<BytesWriter> value) {
    RecordBatch batch = RecordBatch.create().reset(split, new byte[0], 0);
    batch.append(0, Math.max(0, clock.millis()));
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    batch.key(bytes, 0, bytes.length);
    if (value != null) {
      int start = batch.data().length();
      value.accept(batch.data());
      batch.endValue(start);
    }
    return batch;
  }
}
