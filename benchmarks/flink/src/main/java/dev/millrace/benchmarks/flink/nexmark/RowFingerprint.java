package dev.millrace.benchmarks.flink.nexmark;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LogicalType;

/// Tells rows apart as the queries of Nexmark tell their results apart.
final class RowFingerprint implements Serializable {
  private static final long serialVersionUID = 1;

  private final int[][] columns;
  private final int factor;
  private final RowData.FieldGetter[] getters;

  /// @param text columns by number; those in brackets have a fingerprint of their own, and that
  ///   behind `*` is a factor
  RowFingerprint(String text, List<LogicalType> types) {
    String[] parts = text.split("\\*");
    factor = parts.length > 1 ? Integer.parseInt(parts[1].strip()) : -1;
    columns = columns(parts[0]);
    getters = new RowData.FieldGetter[types.size()];
    for (int i = 0; i < getters.length; i++) {
      getters[i] = RowData.createFieldGetter(types.get(i), i);
    }
  }

  private static int[][] columns(String text) {
    List<int[]> all = new ArrayList<>();
    for (String part : text.strip().split(" (?![^(]*\\))")) {
      String[] numbers = part.replaceAll("[()]", "").split(" ");
      int[] group = new int[numbers.length];
      for (int i = 0; i < group.length; i++) {
        group[i] = Integer.parseInt(numbers[i]);
      }
      all.add(group);
    }
    return all.toArray(int[][]::new);
  }

  long of(RowData row) {
    long[] values = new long[columns.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = of(row, columns[i]);
    }
    long all = Fingerprint.of(values);
    return factor < 0 ? all : all * value(row, factor);
  }

  private long of(RowData row, int[] group) {
    if (group.length == 1) {
      return value(row, group[0]);
    }
    long[] values = new long[group.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(row, group[i]);
    }
    return Fingerprint.of(values);
  }

  private long value(RowData row, int column) {
    return switch (getters[column].getFieldOrNull(row)) {
      // In a result on its way that is taken back later.
      case null -> 0;
      case Long number -> number;
      case Integer number -> number;
      case StringData text -> Fingerprint.text(text.toString());
      case TimestampData time -> time.getMillisecond();
      case DecimalData decimal -> decimal.toUnscaledLong();
      case Object other ->
          throw new IllegalStateException("A column has a " + other.getClass().getName());
    };
  }
}
