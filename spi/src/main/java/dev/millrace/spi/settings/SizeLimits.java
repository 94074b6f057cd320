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

  /// The largest limit there can be: brokers take requests of 100 MB unless told otherwise.
  public static final int MOST_BYTES = 64 << 20;

  /// What Kafka takes unless told otherwise.
  private static final int USUAL_BATCH_BYTES = 1_048_588;

  /// What a batch of one record has besides it, at most, and what is added by compressing what
  /// cannot be compressed.
  private static final int FRAME_BYTES = 4 << 10;

  private static final int MORE_WHEN_COMPRESSED = 64;

  public SizeLimits {
    stores = new TreeMap<>(stores);
    exchanges = new TreeMap<>(exchanges);
    require("key", keyBytes);
    require("value", valueBytes);
    require("record", recordBytes);
    stores.forEach((store, bytes) -> require("value of store '" + store + "'", bytes));
    exchanges.forEach((exchange, bytes) -> require("record of exchange '" + exchange + "'", bytes));
  }

  private static void require(String what, int bytes) {
    if (bytes < 1 || bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "The largest %s cannot have %d bytes; give 1 to %d.".formatted(what, bytes, MOST_BYTES));
    }
  }

  /// Keys of 64 KB, values of 900 KB and records of 1 MB.
  public static SizeLimits defaults() {
    return new SizeLimits(64 << 10, 900 << 10, new TreeMap<>(), 1 << 20, new TreeMap<>());
  }

  /// Another size of all values, and of those of some stores.
  public SizeLimits withValues(int bytes, Map<String, Integer> ofStores) {
    return new SizeLimits(keyBytes, bytes, ofStores, recordBytes, exchanges);
  }

  /// Another size of all records in exchanges, and of those in some of them.
  public SizeLimits withRecords(int bytes, Map<String, Integer> ofExchanges) {
    return new SizeLimits(keyBytes, valueBytes, stores, bytes, ofExchanges);
  }

  /// Returns the largest value of a store.
  ///
  /// @param operator that has the store
  public int ofValues(String store, String operator) {
    return stores.getOrDefault(store, stores.getOrDefault(operator, valueBytes));
  }

  /// The largest record in an exchange.
  public int ofRecords(String exchange) {
    return exchanges.getOrDefault(exchange, recordBytes);
  }

  /// The largest of all: a value with its key, or a record.
  public int largest() {
    int value = stores.values().stream().reduce(valueBytes, Math::max);
    int record = exchanges.values().stream().reduce(recordBytes, Math::max);
    return Math.max(keyBytes + value, record);
  }

  /// The batch that a topic must take to take a record.
  ///
  /// @param bytes of its key, value and headers
  public static int batchBytes(int bytes) {
    return Math.max(USUAL_BATCH_BYTES, bytes + bytes / MORE_WHEN_COMPRESSED + FRAME_BYTES);
  }
}
