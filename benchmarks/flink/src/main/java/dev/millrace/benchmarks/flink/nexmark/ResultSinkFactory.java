package dev.millrace.benchmarks.flink.nexmark;

import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.logical.RowType;

/// Makes the table into which a query writes its results.
public final class ResultSinkFactory implements DynamicTableSinkFactory {
  static final String NAME = "nexmark-results";

  static final ConfigOption<String> FINGERPRINT =
      ConfigOptions.key("fingerprint").stringType().noDefaultValue();
  static final ConfigOption<String> BOOTSTRAP =
      ConfigOptions.key("bootstrap").stringType().defaultValue("");

  /// Empty if results are only added up.
  static final ConfigOption<String> TOPIC =
      ConfigOptions.key("topic").stringType().defaultValue("");

  @Override
  public String factoryIdentifier() {
    return NAME;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(FINGERPRINT);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(BOOTSTRAP, TOPIC);
  }

  @Override
  public DynamicTableSink createDynamicTableSink(Context context) {
    FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
    helper.validate();
    RowType type = (RowType) context.getPhysicalRowDataType().getLogicalType();
    return new ResultSink(
        type,
        helper.getOptions().get(FINGERPRINT),
        helper.getOptions().get(BOOTSTRAP),
        helper.getOptions().get(TOPIC));
  }
}
