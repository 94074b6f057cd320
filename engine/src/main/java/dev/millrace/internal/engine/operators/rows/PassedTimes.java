package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.util.Arrays;
import java.util.stream.LongStream;

/// A few times, in milliseconds since 1970, in no order.
public record PassedTimes(long... times) {
  public static final PassedTimes NONE = new PassedTimes();

  /// Whether one is less than a distance away from a time, before or behind it.
  public boolean anyNear(long time, long distance) {
    return Arrays.stream(times).anyMatch(each -> Math.abs(each - time) < distance);
  }

  public PassedTimes with(long time) {
    return new PassedTimes(LongStream.concat(Arrays.stream(times), LongStream.of(time)).toArray());
  }

  /// Those that are later than a time.
  public PassedTimes after(long time) {
    return new PassedTimes(Arrays.stream(times).filter(each -> each > time).toArray());
  }

  public boolean isEmpty() {
    return times.length == 0;
  }

  /// How they are kept: eight bytes each.
  public static final class Format implements Serde<PassedTimes> {
    @Override
    public String id() {
      return "passed-times";
    }

    @Override
    public void write(PassedTimes value, BytesWriter out) {
      for (long time : value.times) {
        out.writeLong(time);
      }
    }

    @Override
    public PassedTimes read(Bytes in) {
      if (in.length() == 0 || in.length() % Long.BYTES != 0) {
        throw new SerdeException("Found " + in + " where times of eight bytes were kept.");
      }
      long[] times = new long[in.length() / Long.BYTES];
      for (int i = 0; i < in.length(); i++) {
        times[i / Long.BYTES] = (times[i / Long.BYTES] << 8) | (in.get(i) & 0xFF);
      }
      return new PassedTimes(times);
    }
  }
}
