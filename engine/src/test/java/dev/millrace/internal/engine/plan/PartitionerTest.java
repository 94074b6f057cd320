package dev.millrace.internal.engine.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Keys go where Kafka's own producer sends them. The hashes were computed by `murmur2` of Kafka's
/// clients; `SameAsKafkaTest` of the runtime compares more of them with it.
class PartitionerTest {
  /// Of the keys of 0 to 40 bytes.
  private static final int[] OF_KAFKA = {
    0x106e08d9, 0x65cb5506, 0x247d6053, 0x3deabb9e, 0xe39cae34, 0xcd3cfc1b,
    0xe1095636, 0x11dc9193, 0x1d15f4dd, 0x24b45c0b, 0x9c06f2e5, 0x3e60a39b,
    0xd402377d, 0x233af874, 0x47443e0d, 0x5da044c8, 0x5e3591b7, 0xf0043876,
    0xaf18c947, 0x877ff548, 0x51b3754e, 0xedb23771, 0x6e282ad3, 0x1a0119ea,
    0xef296237, 0xd49930a6, 0x02550593, 0x917ed441, 0xc3a381d5, 0x9361816b,
    0xf665ea1c, 0x1d57074b, 0xb037f622, 0x1e2648bd, 0x4521fcf4, 0xff2b8f9e,
    0xbb950ca4, 0xcb75f938, 0xa59de98f, 0x8d01c221, 0xc97c5250
  };

  /// Half of its bytes are above 0x7F.
  private static byte[] key(int length) {
    byte[] key = new byte[length];
    for (int i = 0; i < length; i++) {
      key[i] = (byte) (0x80 + 151 * i + 89 * length);
    }
    return key;
  }

  @Test
  void hashesAreThoseOfKafka() {
    for (int length = 0; length < OF_KAFKA.length; length++) {
      byte[] key = key(length);
      assertEquals(OF_KAFKA[length], Partitioner.hash(key, 0, length), "of " + length + " bytes");
      byte[] within = new byte[length + 7];
      Arrays.fill(within, (byte) 0xA5);
      System.arraycopy(key, 0, within, 3, length);
      assertEquals(OF_KAFKA[length], Partitioner.hash(within, 3, length), "within others");
    }
  }

  /// The sign bit is cleared, which is not the absolute value.
  @Test
  void partitionsAreThoseOfKafka() {
    for (int length = 0; length < OF_KAFKA.length; length++) {
      for (int partitions : new int[] {1, 2, 3, 6, 7, 12, 100, 1_000}) {
        long unsigned = OF_KAFKA[length] >= 0 ? OF_KAFKA[length] : OF_KAFKA[length] + (1L << 31);
        assertEquals(
            unsigned % partitions,
            Partitioner.partition(Bytes.of(key(length)), partitions),
            length + " bytes, " + partitions + " partitions");
      }
    }
  }
}
