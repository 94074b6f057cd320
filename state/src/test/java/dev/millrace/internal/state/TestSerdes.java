package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.LongSerde;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Serdes for tests of stores.
final class TestSerdes {
  private TestSerdes() {}

  /// Longs whose bytes have their order.
  public static final Serde<Long> LONG =
      new Canonical<>("test-long") {
        @Override
        public void write(Long value, BytesWriter out) {
          out.writeLong(value ^ Long.MIN_VALUE);
        }

        @Override
        public Long read(Bytes in) {
          if (in.length() != 8) {
            throw new SerdeException("A long has 8 bytes, not " + in.length() + ".");
          }
          long value = 0;
          for (int i = 0; i < 8; i++) {
            value = value << 8 | (in.get(i) & 0xFF);
          }
          return value ^ Long.MIN_VALUE;
        }

        @Override
        public boolean immutable() {
          return true;
        }
      };

  /// The same, with a length that is told: a store keeps them as bytes, and adds to them.
  static final Serde<Long> SMALL_LONG = new SmallLong();

  public static final Serde<String> STRING =
      new Canonical<>("test-string") {
        @Override
        public void write(String value, BytesWriter out) {
          out.write(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String read(Bytes in) {
          return in.toUtf8();
        }

        @Override
        public boolean immutable() {
          return true;
        }
      };

  /// Bytes as they are; reading gives the view itself.
  static final Serde<Bytes> VIEW =
      new Canonical<>("view") {
        @Override
        public void write(Bytes value, BytesWriter out) {
          out.write(value);
        }

        @Override
        public Bytes read(Bytes in) {
          return in;
        }
      };

  /// Lists that their owner changes in place.
  static final Serde<List<Integer>> LIST =
      new Canonical<>("test-list") {
        @Override
        public void write(List<Integer> value, BytesWriter out) {
          for (int element : value) {
            out.writeInt(element);
          }
        }

        @Override
        public List<Integer> read(Bytes in) {
          List<Integer> list = new ArrayList<>();
          for (int i = 0; i < in.length(); i += 4) {
            int element = 0;
            for (int j = 0; j < 4; j++) {
              element = element << 8 | (in.get(i + j) & 0xFF);
            }
            list.add(element);
          }
          return list;
        }
      };

  static <T> byte[] bytes(Serde<T> serde, T value) {
    BytesWriter writer = new BytesWriter();
    serde.write(value, writer);
    return writer.toByteArray();
  }

  private static final class SmallLong extends Canonical<Long> implements LongSerde {
    SmallLong() {
      super("test-small-long");
    }

    @Override
    public int fixedBytes() {
      return Long.BYTES;
    }

    @Override
    public void write(Long value, BytesWriter out) {
      LONG.write(value, out);
    }

    @Override
    public Long read(Bytes in) {
      return LONG.read(in);
    }

    @Override
    public void writeLong(long value, BytesWriter out) {
      LONG.write(value, out);
    }

    @Override
    public long readLong(Bytes in) {
      return LONG.read(in);
    }
  }

  private abstract static class Canonical<T> implements Serde<T> {
    private final String id;

    Canonical(String id) {
      this.id = id;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public boolean canonical() {
      return true;
    }

    @Override
    public boolean ordered() {
      return true;
    }
  }
}
