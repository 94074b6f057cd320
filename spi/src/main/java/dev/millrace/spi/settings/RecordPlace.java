package dev.millrace.spi.settings;

/// Where a record is in the log, in text `topic:partition:offset`.
public record RecordPlace(String topic, int partition, long offset) {
  @Override
  public String toString() {
    return topic + ":" + partition + ":" + offset;
  }
}
