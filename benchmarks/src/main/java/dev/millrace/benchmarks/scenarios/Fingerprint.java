package dev.millrace.benchmarks.scenarios;

import java.util.Arrays;
import java.util.zip.CRC32C;

/// The content of a topic in a few numbers: how many records each partition has, and the sum of
/// their checksums. Two topics with the same are taken to hold the same records.
final class Fingerprint {
  private final long[] records;
  private final long[] sums;
  private final CRC32C checksum = new CRC32C();

  Fingerprint(int partitions) {
    records = new long[partitions];
    sums = new long[partitions];
  }

  void add(int partition, byte[] key, byte[] value) {
    checksum.reset();
    checksum.update(key);
    checksum.update(value);
    records[partition]++;
    sums[partition] +=
        Distribution.mixed(checksum.getValue() << 32 | Event.number(value, 0) & 0xffffffffL);
  }

  long records() {
    return Arrays.stream(records).sum();
  }

  /// Whether the other has the same records in the same partitions.
  boolean same(Fingerprint other) {
    return Arrays.equals(records, other.records) && Arrays.equals(sums, other.sums);
  }

  @Override
  public String toString() {
    return "%s records with checksums %s"
        .formatted(Arrays.toString(records), Arrays.toString(sums));
  }
}
