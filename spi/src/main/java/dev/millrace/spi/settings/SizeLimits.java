package dev.millrace.spi.settings;

import java.util.Map;
import java.util.TreeMap;

/// How large keys, values and records may be that an application keeps and exchanges. Sizes are in
/// bytes, encoded. The topics of the application are made to fit.
///
/// @param keyBytes of the keys of all stores
/// @param valueBytes of the values of a store
/// @param stores of the values of some stores, by their names or that of the operator that has
///   them, instead of that
/// @param recordBytes of the records in an exchange: key, value and headers together
/// @param exchanges of the records in some exchanges, by their names, instead of that
public record SizeLimits(
    int keyBytes,
    int valueBytes,
    Map<String, Integer> stores,
    int recordBytes,
    Map<String, Integer> exchanges) {

  /// The largest limit that a setting may have: brokers take requests of 100 MB unless told
  /// otherwise.
  public static final int MOST_BYTES = 64 << 20;

  /// The largest limit where records never leave the process.
  private static final int MOST_BYTES_IN_MEMORY = 256 << 20;

  /// What Kafka takes unless told otherwise.
  private static final int USUAL_BATCH_BYTES = 1_048_588;

  /// What a batch of one record has besides it, at most, and what is added by compressing what
  /// cannot be compressed.
  private static final int FRAME_BYTES = 4 << 10;

  private static final int MORE_WHEN_COMPRESSED = 64;

  /// @throws IllegalArgumentException if a limit is not above 0, or above any that there may be
  public SizeLimits {
    stores = new TreeMap<>(stores);
    exchanges = new TreeMap<>(exchanges);
    require(keyBytes, valueBytes, stores, recordBytes, exchanges, MOST_BYTES_IN_MEMORY);
  }

  /// Checks that brokers take what has these sizes.
  ///
  /// @throws IllegalArgumentException if a limit is above [#MOST_BYTES]
  void requireForBrokers() {
    require(keyBytes, valueBytes, stores, recordBytes, exchanges, MOST_BYTES);
  }

  private static void require(
      int key,
      int value,
      Map<String, Integer> stores,
      int record,
      Map<String, Integer> exchanges,
      int most) {
    require("key", key, most);
    require("value", value, most);
    require("record", record, most);
    stores.forEach((store, bytes) -> require("value of store '" + store + "'", bytes, most));
    exchanges.forEach(
        (exchange, bytes) -> require("record of exchange '" + exchange + "'", bytes, most));
  }

  private static void require(String what, int bytes, int most) {
    if (bytes < 1 || bytes > most) {
      throw new IllegalArgumentException(
          "The largest %s cannot have %d bytes; give 1 to %d.".formatted(what, bytes, most));
    }
  }

  /// Returns the defaults: keys of 64 KB, values of 900 KB and records of 1 MB.
  public static SizeLimits defaults() {
    return new SizeLimits(64 << 10, 900 << 10, new TreeMap<>(), 1 << 20, new TreeMap<>());
  }

  /// Returns limits of 256 MB, for what never leaves the process: a log in memory.
  public static SizeLimits inMemory() {
    return new SizeLimits(
        MOST_BYTES_IN_MEMORY,
        MOST_BYTES_IN_MEMORY,
        new TreeMap<>(),
        MOST_BYTES_IN_MEMORY,
        new TreeMap<>());
  }

  /// Returns a copy with another largest key of a store; 64 KB by default.
  public SizeLimits withKeyBytes(int bytes) {
    return new SizeLimits(bytes, valueBytes, stores, recordBytes, exchanges);
  }

  /// Returns a copy with another largest value of a store; 900 KB by default.
  public SizeLimits withValueBytes(int bytes) {
    return new SizeLimits(keyBytes, bytes, stores, recordBytes, exchanges);
  }

  /// Returns a copy with other largest values of some stores; none by default.
  ///
  /// @param bytes by the name of the store, or of the operator that has it
  public SizeLimits withStores(Map<String, Integer> bytes) {
    return new SizeLimits(keyBytes, valueBytes, bytes, recordBytes, exchanges);
  }

  /// Returns a copy with another largest record in an exchange; 1 MB by default.
  public SizeLimits withRecordBytes(int bytes) {
    return new SizeLimits(keyBytes, valueBytes, stores, bytes, exchanges);
  }

  /// Returns a copy with other largest records in some exchanges; none by default.
  ///
  /// @param bytes by the name of the exchange
  public SizeLimits withExchanges(Map<String, Integer> bytes) {
    return new SizeLimits(keyBytes, valueBytes, stores, recordBytes, bytes);
  }

  /// Returns the largest value of a store.
  ///
  /// @param operator that has the store
  public int ofValues(String store, String operator) {
    return stores.getOrDefault(store, stores.getOrDefault(operator, valueBytes));
  }

  /// Returns the largest record in an exchange.
  public int ofRecords(String exchange) {
    return exchanges.getOrDefault(exchange, recordBytes);
  }

  /// Returns the largest of all: a value with its key, or a record.
  public int largest() {
    int value = stores.values().stream().reduce(valueBytes, Math::max);
    int record = exchanges.values().stream().reduce(recordBytes, Math::max);
    return Math.max(keyBytes + value, record);
  }

  /// Returns the size of the batch that a topic must take to take a record.
  ///
  /// @param bytes of its key, value and headers
  public static int batchBytes(int bytes) {
    return Math.max(USUAL_BATCH_BYTES, bytes + bytes / MORE_WHEN_COMPRESSED + FRAME_BYTES);
  }
}
