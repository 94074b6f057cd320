package dev.millrace.benchmarks.flink.change;

import dev.millrace.benchmarks.change.peer.Assignment;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.PojoField;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;

/// What is kept for a key, a POJO. The class has the fields of all versions of the program, as one
/// class path has one class of a name; which of them Flink knows, and of which type the count is,
/// is said by [#type]. That is all that Flink would take from the class.
public final class Total {
  /// An `Integer`, or a `Long` once it was widened.
  public Number count = 0;

  public long sum;
  public long last;
  public byte[] padding = {};
  public long largest;

  public Total() {}

  /// Returns the fields as a version of the program has them.
  static TypeInformation<Total> type(Assignment assignment) {
    try {
      List<PojoField> fields = new ArrayList<>();
      fields.add(
          field(
              "count",
              assignment.has(Assignment.WIDEN_FIELD)
                  ? BasicTypeInfo.LONG_TYPE_INFO
                  : BasicTypeInfo.INT_TYPE_INFO));
      fields.add(field("sum", BasicTypeInfo.LONG_TYPE_INFO));
      fields.add(field("last", BasicTypeInfo.LONG_TYPE_INFO));
      fields.add(field("padding", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
      if (assignment.has(Assignment.ADD_FIELD)) {
        fields.add(field("largest", BasicTypeInfo.LONG_TYPE_INFO));
      }
      return new PojoTypeInfo<>(Total.class, fields);
    } catch (NoSuchFieldException e) {
      throw new AssertionError(e);
    }
  }

  private static PojoField field(String name, TypeInformation<?> type) throws NoSuchFieldException {
    return new PojoField(Total.class.getField(name), type);
  }
}
