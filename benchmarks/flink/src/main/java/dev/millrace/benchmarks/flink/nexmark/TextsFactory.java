package dev.millrace.benchmarks.flink.nexmark;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.functions.LookupFunction;

/// Makes the table of texts, which is looked up in memory.
public final class TextsFactory implements DynamicTableSourceFactory {
  static final String NAME = "nexmark-texts";

  private static final int KEYS = 10_000;

  @Override
  public String factoryIdentifier() {
    return NAME;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of();
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    return new Texts();
  }

  private static final class Texts implements LookupTableSource {
    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
      return LookupFunctionProvider.of(new Lookup());
    }

    @Override
    public DynamicTableSource copy() {
      return new Texts();
    }

    @Override
    public String asSummaryString() {
      return "texts of Nexmark";
    }
  }

  /// A text for each number from 0 on. Public, as Flink's generated code calls it.
  public static final class Lookup extends LookupFunction {
    private static final long serialVersionUID = 1;
    private static final List<RowData>[] ROWS = rows();

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of lists
    private static List<RowData>[] rows() {
      List<RowData>[] rows = new List[KEYS];
      for (int i = 0; i < KEYS; i++) {
        rows[i] = List.of(GenericRowData.of((long) i, StringData.fromString("value-" + i)));
      }
      return rows;
    }

    @Override
    public Collection<RowData> lookup(RowData key) {
      long number = key.getLong(0);
      return number >= 0 && number < KEYS ? ROWS[(int) number] : List.of();
    }
  }
}
