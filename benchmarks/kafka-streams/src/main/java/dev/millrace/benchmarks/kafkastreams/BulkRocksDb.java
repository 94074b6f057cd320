package dev.millrace.benchmarks.kafkastreams;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.Options;

/// RocksDB for a bulk load: larger write buffers, and threads for both processors.
public final class BulkRocksDb implements RocksDBConfigSetter {
  private static final long WRITE_BUFFER_BYTES = 64L << 20;

  @Override
  public void setConfig(String store, Options options, Map<String, Object> configs) {
    options.setWriteBufferSize(WRITE_BUFFER_BYTES);
    options.setMaxWriteBufferNumber(3);
    options.setIncreaseParallelism(Runtime.getRuntime().availableProcessors());
  }

  @Override
  public void close(String store, Options options) {}
}
