package dev.millrace.api.serde;

import java.util.List;

/// Arrays of primitives other than bytes, in the bytes the same as a list of the boxes.
final class PrimitiveArrayCodec extends ContentCodec<Object> {
  private final Primitive primitive;

  PrimitiveArrayCodec(Primitive primitive) {
    super(TypeCode.LIST);
    this.primitive = primitive;
  }

  @Override
  String id() {
    return "list<" + primitive.code.text + ">";
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return new Schema.Container("list", List.of(new Schema.Plain(primitive.code.text)));
  }

  @Override
  void writeContent(Object value, BytesWriter out) {
    switch (value) {
      case boolean[] values -> {
        begin(values.length, out);
        for (boolean v : values) {
          out.writeByte(v ? 1 : 0);
        }
      }
      case short[] values -> {
        begin(values.length, out);
        for (short v : values) {
          NumberScalars.writeZigZag(v, out);
        }
      }
      case char[] values -> {
        begin(values.length, out);
        for (char v : values) {
          out.writeVarInt(v);
        }
      }
      case int[] values -> {
        begin(values.length, out);
        for (int v : values) {
          NumberScalars.writeZigZag(v, out);
        }
      }
      case long[] values -> {
        begin(values.length, out);
        for (long v : values) {
          NumberScalars.writeZigZag(v, out);
        }
      }
      case float[] values -> {
        begin(values.length, out);
        for (float v : values) {
          out.writeInt(NumberScalars.orderedBits(v));
        }
      }
      case double[] values -> {
        begin(values.length, out);
        for (double v : values) {
          out.writeLong(NumberScalars.orderedBits(v));
        }
      }
      default -> throw new SerdeException("no array of primitives: " + value.getClass().getName());
    }
  }

  private void begin(int length, BytesWriter out) {
    if (length > 0) {
      out.writeByte(primitive.code.number);
      out.writeVarInt(length);
    }
  }

  @Override
  Object readContent(BytesReader in) {
    int count = 0;
    if (in.remaining() > 0) {
      expectCode(primitive.scalar, "elements", in);
      count = ListCodec.readCount(in);
    }
    return switch (primitive) {
      case BOOLEAN -> {
        boolean[] values = new boolean[count];
        for (int i = 0; i < count; i++) {
          values[i] = NumberScalars.readBoolean(in);
        }
        yield values;
      }
      case SHORT -> {
        short[] values = new short[count];
        for (int i = 0; i < count; i++) {
          values[i] = NumberScalars.SHORT.readBody(in);
        }
        yield values;
      }
      case CHAR -> {
        char[] values = new char[count];
        for (int i = 0; i < count; i++) {
          values[i] = (char) NumberScalars.readChar(in);
        }
        yield values;
      }
      case INT -> {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
          values[i] = NumberScalars.INT.readBody(in);
        }
        yield values;
      }
      case LONG -> {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
          values[i] = NumberScalars.LONG.readBody(in);
        }
        yield values;
      }
      case FLOAT -> {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
          values[i] = NumberScalars.FLOAT.readBody(in);
        }
        yield values;
      }
      case DOUBLE -> {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
          values[i] = NumberScalars.DOUBLE.readBody(in);
        }
        yield values;
      }
      case BYTE -> throw new AssertionError("byte[] has a codec of its own");
    };
  }
}
