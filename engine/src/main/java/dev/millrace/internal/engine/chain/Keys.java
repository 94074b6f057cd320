package dev.millrace.internal.engine.chain;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;

/// Finds the key under which a row leaves a task.
interface Keys {

  /// Moves `to` over the key's bytes, valid until the next call; false if the row has none.
  boolean find(Rows rows, int row, Bytes to);

  /// Keys that are made from the values.
  static Keys made(Mapper<Object, Object> newKey, Serde<Object> newKeySerde) {
    BytesWriter written = new BytesWriter(64);
    return (rows, row, key) -> {
      Object object = newKey.map(rows.values()[row]);
      if (object == null) {
        throw new SerdeException("The key is null. Filter such records out before.");
      }
      newKeySerde.write(object, written.clear());
      written.view(key, 0);
      return true;
    };
  }

  /// The keys that rows have, in another format.
  static Keys rewritten(Serde<Object> reads, Serde<Object> writes) {
    BytesWriter written = new BytesWriter(64);
    return (rows, row, key) -> {
      if (!rows.key(row, key)) {
        return false;
      }
      Object read = reads.read(key);
      writes.write(read, written.clear());
      written.view(key, 0);
      return true;
    };
  }

  /// The same keys, without which no row may be.
  static Keys required(Keys keys) {
    return (rows, row, key) -> {
      if (!keys.find(rows, row, key)) {
        throw new SerdeException(
            "The record has no key, but it is sent to the task of its key. Give it a key, or filter"
                + " it out before.");
      }
      return true;
    };
  }
}
