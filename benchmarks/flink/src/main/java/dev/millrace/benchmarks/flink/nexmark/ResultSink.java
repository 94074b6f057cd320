package dev.millrace.benchmarks.flink.nexmark;

import java.util.Properties;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.SinkV2Provider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

/// Takes results, and those that are taken back: adds them up, or writes them into a topic.
///
/// @param topic empty if they are added up
record ResultSink(RowType type, String fingerprint, String bootstrap, String topic)
    implements DynamicTableSink {

  /// Longer than any checkpoint takes, and within what a broker allows.
  private static final String TRANSACTION_TIMEOUT_MILLIS = "600000";

  @Override
  public ChangelogMode getChangelogMode(ChangelogMode requested) {
    return requested.containsOnly(RowKind.INSERT)
        ? ChangelogMode.insertOnly()
        : ChangelogMode.all();
  }

  @Override
  public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
    return SinkV2Provider.of(sink());
  }

  private Sink<RowData> sink() {
    RowFingerprint ofRows = new RowFingerprint(fingerprint, type.getChildren());
    if (topic.isEmpty()) {
      return new TallySink(ofRows);
    }
    Properties producer = new Properties();
    producer.put("batch.size", "131072");
    producer.put("linger.ms", "5");
    producer.put("transaction.timeout.ms", TRANSACTION_TIMEOUT_MILLIS);
    return KafkaSink.<RowData>builder()
        .setBootstrapServers(bootstrap)
        .setKafkaProducerConfig(producer)
        .setRecordSerializer(new RowWriter(topic, type, ofRows))
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix(topic)
        .build();
  }

  @Override
  public DynamicTableSink copy() {
    return this;
  }

  @Override
  public String asSummaryString() {
    return "results of Nexmark";
  }
}
