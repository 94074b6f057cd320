package dev.millrace.testkit.log;

import java.time.Duration;

/// How the model log behaves when nothing fails.
///
/// @param markers how much later than the answer to the end of a transaction its markers are
///   written, drawn for each partition
/// @param batchRecords the most records a reader returns at a time; how many is drawn
/// @param epochs the number of epochs of a producer id; then the writer gets another id (Kafka:
///   32,767)
/// @param cleanEvery how often compacted topics are cleaned; zero never does by itself
/// @param activeRecords how many entries at the end of a partition the cleaner never looks at
public record ModelSettings(
    Delay markers, int batchRecords, int epochs, Duration cleanEvery, int activeRecords) {

  /// Markers up to 5 ms late, batches up to 16 records, no cleaner.
  public static ModelSettings defaults() {
    return new ModelSettings(Delay.upTo(Duration.ofMillis(5)), 16, 32_767, Duration.ZERO, 4);
  }

  public ModelSettings withMarkers(Delay newMarkers) {
    return new ModelSettings(newMarkers, batchRecords, epochs, cleanEvery, activeRecords);
  }

  public ModelSettings withBatchRecords(int newBatchRecords) {
    return new ModelSettings(markers, newBatchRecords, epochs, cleanEvery, activeRecords);
  }

  public ModelSettings withEpochs(int newEpochs) {
    return new ModelSettings(markers, batchRecords, newEpochs, cleanEvery, activeRecords);
  }

  public ModelSettings withCleaner(Duration every, int newActiveRecords) {
    return new ModelSettings(markers, batchRecords, epochs, every, newActiveRecords);
  }
}
