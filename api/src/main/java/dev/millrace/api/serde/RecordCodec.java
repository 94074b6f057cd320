package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Records in a form that later and earlier versions of the record can read.
///
/// The content is a table of the fields and then the fields. The table has a byte with the number
/// of components and for each three bytes: 18 bits of [Names], 6 bits of [TypeCode]. It is the same
/// for every value of one version, so a reader of the same version compares it as a whole and then
/// reads by position. Another reader finds in it which of its components the bytes have, in which
/// order, and how to move past those it does not know. A list holds the table once.
///
/// The fields begin with a bitmap, one bit a component, in the order of the table and from the
/// lowest bit of the first byte on. A bit that is not set says null, zero or false, and nothing
/// follows. For the others their bodies follow. Unused bits are zero, and there is at least one
/// byte.
final class RecordCodec<R> extends ContentCodec<R> implements Unrolled.Body<CodecComponent> {
  static final int MAX_COMPONENTS = 250;

  private static final int TAG_BYTES = 3;
  private static final int REMEMBERED_TABLES = 16;

  private final String id;
  private final RecordShape shape;
  private final Elements<R> own = in -> readFields(in);

  private CodecComponent[] components = {};
  private byte[] table = {};
  private @Nullable Unrolled fields;
  private volatile List<ForeignTable> foreign = List.of();

  /// [#link] must follow: a record may contain itself.
  RecordCodec(String id, RecordShape shape) {
    super(TypeCode.RECORD);
    this.id = id;
    this.shape = shape;
  }

  /// @param codecs of the components, in their order
  void link(Codec<?>[] codecs) {
    RecordShape.Part[] parts = shape.parts();
    if (parts.length > MAX_COMPONENTS) {
      throw new IllegalArgumentException(
          "%s has %d components, at most %d can be written"
              .formatted(shape.type().getName(), parts.length, MAX_COMPONENTS));
    }
    components = new CodecComponent[parts.length];
    BytesWriter bytes = new BytesWriter();
    bytes.writeByte(parts.length);
    for (int i = 0; i < parts.length; i++) {
      components[i] = component(parts[i], codecs[i]);
      bytes.writeByte(components[i].tag() >> 16);
      bytes.writeShort(components[i].tag());
      refuseSameNumber(i);
    }
    table = bytes.toByteArray();
    fields = Unroller.unroll(this, CodecComponent.class, List.of(components), shape);
  }

  private void refuseSameNumber(int last) {
    for (int i = 0; i < last; i++) {
      if (components[i].sharesNumberWith(components[last])) {
        throw new IllegalArgumentException(
            "The components %s and %s of %s get the same number in the bytes; rename one of them"
                .formatted(components[i].name(), components[last].name(), shape.type().getName()));
      }
    }
  }

  @SuppressWarnings("unchecked") // the codec was made for the component's type
  private static CodecComponent component(RecordShape.Part part, Codec<?> codec) {
    Primitive primitive = part.primitive();
    return primitive == null
        ? new CodecComponent.OfReference(part, (Codec<Object>) codec)
        : new CodecComponent.OfPrimitive(part, primitive);
  }

  @Override
  String id() {
    return id;
  }

  Class<?> type() {
    return shape.type();
  }

  RecordShape shape() {
    return shape;
  }

  /// Returns the components, in their order.
  List<CodecComponent> components() {
    return List.of(components);
  }

  @Override
  Schema.Structure schema(Schema.Builder builder) {
    return builder.structure(
        this,
        shape.type().getSimpleName(),
        types -> {
          for (CodecComponent component : components) {
            types.put(component.part().nameInSchema(), component.schema(builder));
          }
        });
  }

  @Override
  boolean immutable(Set<Codec<?>> asked) {
    return !asked.add(this)
        || Arrays.stream(components).allMatch(component -> component.immutable(asked));
  }

  @Override
  void writeContent(R value, BytesWriter out) {
    out.write(table);
    writeElement(value, out);
  }

  @Override
  R readContent(BytesReader in) {
    return readShared(in).read(in);
  }

  @Override
  void writeShared(BytesWriter out) {
    out.write(table);
  }

  @Override
  void writeElement(R value, BytesWriter out) {
    int bitmap = out.reserve(bitmapBytes(components.length));
    if (components.length == 0) {
      out.array()[bitmap] = 0;
    }
    fields().write(value, bitmap, out);
  }

  private Unrolled fields() {
    return Objects.requireNonNull(fields, id);
  }

  @Override
  public boolean writeBits(CodecComponent component, long value, BytesWriter out) {
    return component.writeBits(value, out);
  }

  @Override
  public boolean writeReference(CodecComponent component, @Nullable Object value, BytesWriter out) {
    try {
      return component.writeReference(value, out);
    } catch (SerdeException e) {
      throw at(component.part(), e);
    }
  }

  @Override
  public void wrote(int group, int bits, int bitmap, BytesWriter out) {
    out.array()[bitmap + group] = (byte) bits;
  }

  @Override
  Elements<R> readShared(BytesReader in) {
    return in.skipIf(table) ? own : foreignTable(in);
  }

  @SuppressWarnings("unchecked") // the constructor is that of R
  private R readFields(BytesReader in) {
    return (R) fields().read(readBitmap(components.length, in), in);
  }

  @Override
  public void read(
      CodecComponent component, int index, int bitmap, BytesReader in, RecordShape.Slots slots) {
    if (isSet(in, bitmap, index)) {
      read(component, in, slots);
    }
  }

  private void read(CodecComponent component, BytesReader in, RecordShape.Slots slots) {
    try {
      component.read(in, slots);
    } catch (SerdeException e) {
      throw at(component.part(), e);
    }
  }

  SerdeException at(RecordShape.Part part, SerdeException e) {
    return new SerdeException(
        shape.type().getSimpleName() + "." + part.name() + ": " + e.getMessage(),
        e.getCause() == null ? e : e.getCause());
  }

  static int bitmapBytes(int components) {
    return Math.max(1, components + 7 >> 3);
  }

  /// Moves past the bitmap and returns its index in the array.
  private static int readBitmap(int components, BytesReader in) {
    int bitmap = in.index();
    int bytes = bitmapBytes(components);
    in.skip(bytes);
    int used = components - 8 * (bytes - 1);
    if ((in.array()[bitmap + bytes - 1] & 0xFF) >> used != 0) {
      throw new SerdeException("the bitmap of a record names more than its components");
    }
    return bitmap;
  }

  private static boolean isSet(BytesReader in, int bitmap, int index) {
    return (in.array()[bitmap + (index >> 3)] & 1 << (index & 7)) != 0;
  }

  /// The table of another version that stands here, remembered from before or understood now. Only
  /// so many are remembered, since damaged bytes may hold any.
  private ForeignTable foreignTable(BytesReader in) {
    List<ForeignTable> remembered = foreign;
    for (int i = 0; i < remembered.size(); i++) {
      ForeignTable candidate = remembered.get(i);
      if (in.skipIf(candidate.bytes)) {
        return candidate;
      }
    }
    int count = in.readUnsignedByte();
    ForeignTable found = new ForeignTable(in.readBytes(count * TAG_BYTES));
    if (remembered.size() < REMEMBERED_TABLES) {
      List<ForeignTable> more = new ArrayList<>(remembered);
      more.add(found);
      foreign = List.copyOf(more);
    }
    return found;
  }

  /// How to read values of another version.
  private final class ForeignTable implements Elements<R> {
    private final byte[] bytes;
    private final int[] codes;
    private final @Nullable CodecComponent[] targets;
    private final CodecComponent[] missing;

    ForeignTable(byte[] tags) {
      int count = tags.length / TAG_BYTES;
      bytes = new byte[tags.length + 1];
      bytes[0] = (byte) count;
      System.arraycopy(tags, 0, bytes, 1, tags.length);
      codes = new int[count];
      targets = new CodecComponent[count];
      CodecComponent[] left = components.clone();
      for (int i = 0; i < count; i++) {
        int at = i * TAG_BYTES;
        int tag = (tags[at] & 0xFF) << 16 | (tags[at + 1] & 0xFF) << 8 | tags[at + 2] & 0xFF;
        codes[i] = tag & (1 << TypeCode.BITS) - 1;
        targets[i] = match(tag, left);
      }
      missing =
          Arrays.stream(left).filter(component -> component != null).toArray(CodecComponent[]::new);
    }

    /// Takes the component with the tag's number out of those left.
    private @Nullable CodecComponent match(int tag, @Nullable CodecComponent[] left) {
      int code = tag & (1 << TypeCode.BITS) - 1;
      if (TypeCode.invalid(code)) {
        throw new SerdeException("a component has the invalid type " + code);
      }
      for (int i = 0; i < components.length; i++) {
        CodecComponent component = components[i];
        if (component.hasNumber(tag >> TypeCode.BITS)) {
          Widening widening = Widening.of(TypeCode.textOf(code), component.code().text);
          if (component.code().number != code && widening == null) {
            throw new SerdeException(
                "%s.%s was written as %s and is read as %s"
                    .formatted(
                        shape.type().getSimpleName(),
                        component.name(),
                        TypeCode.textOf(code),
                        component.code().text));
          }
          if (left[i] == null) {
            throw new SerdeException(
                shape.type().getSimpleName() + "." + component.name() + " stands there twice");
          }
          left[i] = null;
          return widening == null ? component : new CodecComponent.Widened(component, widening);
        }
      }
      return null;
    }

    @Override
    @SuppressWarnings("unchecked") // the constructor is that of R
    public R read(BytesReader in) {
      int bitmap = readBitmap(codes.length, in);
      RecordShape.Slots slots = shape.maker().slots();
      for (int i = 0; i < codes.length; i++) {
        if (isSet(in, bitmap, i)) {
          CodecComponent target = targets[i];
          if (target == null) {
            TypeCode.skip(codes[i], in);
          } else {
            RecordCodec.this.read(target, in, slots);
          }
        } else if (targets[i] != null) {
          targets[i].unset(slots);
        }
      }
      for (CodecComponent component : missing) {
        component.missing(slots);
      }
      return (R) shape.maker().make(slots);
    }
  }
}
