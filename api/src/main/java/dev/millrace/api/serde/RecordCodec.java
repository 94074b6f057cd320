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
final class RecordCodec<R> extends ContentCodec<R> implements Unrolled.Body<RecordCodec.Component> {
  static final int MAX_COMPONENTS = 250;

  private static final int TAG_BYTES = 3;
  private static final int REMEMBERED_TABLES = 16;

  private final String id;
  private final RecordShape shape;
  private final Elements<R> own = in -> readFields(in);

  private Component[] components = {};
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
    components = new Component[parts.length];
    BytesWriter bytes = new BytesWriter();
    bytes.writeByte(parts.length);
    for (int i = 0; i < parts.length; i++) {
      components[i] = component(parts[i], codecs[i]);
      bytes.writeByte(components[i].tag() >> 16);
      bytes.writeShort(components[i].tag());
      refuseSameNumber(i);
    }
    table = bytes.toByteArray();
    fields = Unroller.unroll(this, Component.class, List.of(components), shape);
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
  private static Component component(RecordShape.Part part, Codec<?> codec) {
    Primitive primitive = part.primitive();
    return primitive == null
        ? new ReferenceComponent(part, (Codec<Object>) codec)
        : new PrimitiveComponent(part, primitive);
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
  List<Component> components() {
    return List.of(components);
  }

  @Override
  Schema.Structure schema(Schema.Builder builder) {
    return builder.structure(
        this,
        shape.type().getSimpleName(),
        types -> {
          for (Component component : components) {
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
  public boolean writeBits(Component component, long value, BytesWriter out) {
    return component.writeBits(value, out);
  }

  @Override
  public boolean writeReference(Component component, @Nullable Object value, BytesWriter out) {
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
      Component component, int index, int bitmap, BytesReader in, RecordShape.Slots slots) {
    if (isSet(in, bitmap, index)) {
      read(component, in, slots);
    }
  }

  private void read(Component component, BytesReader in, RecordShape.Slots slots) {
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
    private final @Nullable Component[] targets;
    private final Component[] missing;

    ForeignTable(byte[] tags) {
      int count = tags.length / TAG_BYTES;
      bytes = new byte[tags.length + 1];
      bytes[0] = (byte) count;
      System.arraycopy(tags, 0, bytes, 1, tags.length);
      codes = new int[count];
      targets = new Component[count];
      Component[] left = components.clone();
      for (int i = 0; i < count; i++) {
        int at = i * TAG_BYTES;
        int tag = (tags[at] & 0xFF) << 16 | (tags[at + 1] & 0xFF) << 8 | tags[at + 2] & 0xFF;
        codes[i] = tag & (1 << TypeCode.BITS) - 1;
        targets[i] = match(tag, left);
      }
      missing =
          Arrays.stream(left).filter(component -> component != null).toArray(Component[]::new);
    }

    /// Takes the component with the tag's number out of those left.
    private @Nullable Component match(int tag, @Nullable Component[] left) {
      int code = tag & (1 << TypeCode.BITS) - 1;
      if (TypeCode.invalid(code)) {
        throw new SerdeException("a component has the invalid type " + code);
      }
      for (int i = 0; i < components.length; i++) {
        Component component = components[i];
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
          return widening == null ? component : new WidenedComponent(component, widening);
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
          Component target = targets[i];
          if (target == null) {
            TypeCode.skip(codes[i], in);
          } else {
            RecordCodec.this.read(target, in, slots);
          }
        } else if (targets[i] != null) {
          targets[i].unset(slots);
        }
      }
      for (Component component : missing) {
        component.missing(slots);
      }
      return (R) shape.maker().make(slots);
    }
  }

  /// One component: its tag in the table, and how it is written and read. Records, as the JIT takes
  /// their fields for constants.
  sealed interface Component {
    RecordShape.Part part();

    TypeCode code();

    /// What stands in the table.
    int tag();

    static int tag(String name, TypeCode code) {
      return Names.number(name, Names.COMPONENT_BITS) << TypeCode.BITS | code.number;
    }

    /// Returns the codec of a component that is no primitive; null if it is one.
    default @Nullable Codec<Object> codec() {
      return null;
    }

    /// Writes the body of a primitive and returns true, or returns false for zero and false.
    default boolean writeBits(long bits, BytesWriter out) {
      throw new AssertionError(part() + " is no primitive.");
    }

    /// Writes the body and returns true, or returns false for null.
    default boolean writeReference(@Nullable Object value, BytesWriter out) {
      throw new AssertionError(part() + " is a primitive.");
    }

    default String name() {
      return part().name();
    }

    default int number() {
      return tag() >> TypeCode.BITS;
    }

    /// Returns whether a number in the bytes is that of its name or of one that it had.
    default boolean hasNumber(int number) {
      return number() == number
          || part().formerNames().stream()
              .anyMatch(name -> Names.number(name, Names.COMPONENT_BITS) == number);
    }

    /// Returns whether a name of this component and one of another have the same number.
    default boolean sharesNumberWith(Component other) {
      return other.hasNumber(number())
          || part().formerNames().stream()
              .anyMatch(name -> other.hasNumber(Names.number(name, Names.COMPONENT_BITS)));
    }

    Schema.Type schema(Schema.Builder builder);

    /// See [Codec#immutable].
    boolean immutable(Set<Codec<?>> asked);

    void read(BytesReader in, RecordShape.Slots slots);

    /// Sets what a component has that was written as null, zero or false, unless that is what slots
    /// begin with.
    default void unset(RecordShape.Slots slots) {}

    /// Sets what a component has that the writer did not know.
    void missing(RecordShape.Slots slots);
  }

  /// A component that was written as a narrower type.
  private record WidenedComponent(Component target, Widening widening) implements Component {
    @Override
    public RecordShape.Part part() {
      return target.part();
    }

    @Override
    public TypeCode code() {
      return target.code();
    }

    @Override
    public int tag() {
      return target.tag();
    }

    @Override
    public Schema.Type schema(Schema.Builder builder) {
      return target.schema(builder);
    }

    @Override
    public boolean immutable(Set<Codec<?>> asked) {
      return target.immutable(asked);
    }

    @Override
    public void read(BytesReader in, RecordShape.Slots slots) {
      widening.read(in, part(), slots);
    }

    @Override
    public void unset(RecordShape.Slots slots) {
      widening.unset(part(), slots);
    }

    @Override
    public void missing(RecordShape.Slots slots) {
      target.missing(slots);
    }
  }

  private record PrimitiveComponent(RecordShape.Part part, Primitive primitive, int tag)
      implements Component {
    PrimitiveComponent(RecordShape.Part part, Primitive primitive) {
      this(part, primitive, Component.tag(part.name(), primitive.code));
    }

    @Override
    public TypeCode code() {
      return primitive.code;
    }

    @Override
    public Schema.Type schema(Schema.Builder builder) {
      return new Schema.Plain(primitive.code.text);
    }

    @Override
    public boolean immutable(Set<Codec<?>> asked) {
      return true;
    }

    @Override
    public boolean writeBits(long bits, BytesWriter out) {
      if (bits == 0) {
        return false;
      }
      primitive.writeBody(bits, out);
      return true;
    }

    @Override
    public void read(BytesReader in, RecordShape.Slots slots) {
      slots.bits[part.slot()] = primitive.readBody(in);
    }

    @Override
    public void missing(RecordShape.Slots slots) {}
  }

  private record ReferenceComponent(
      RecordShape.Part part, Codec<Object> codec, TypeCode code, int tag) implements Component {
    ReferenceComponent(RecordShape.Part part, Codec<Object> codec) {
      TypeCode code = codec.code().boxed();
      this(part, codec, code, Component.tag(part.name(), code));
    }

    @Override
    public boolean immutable(Set<Codec<?>> asked) {
      return codec.immutable(asked);
    }

    @Override
    public Schema.Type schema(Schema.Builder builder) {
      return codec.code() == code ? codec.schema(builder) : new Schema.Plain(code.text);
    }

    @Override
    public boolean writeReference(@Nullable Object value, BytesWriter out) {
      if (value == null) {
        return false;
      }
      codec.writeBody(value, out);
      return true;
    }

    @Override
    public void read(BytesReader in, RecordShape.Slots slots) {
      slots.references[part.slot()] = codec.readBody(in);
    }

    @Override
    public void missing(RecordShape.Slots slots) {
      slots.references[part.slot()] = codec.whenMissing();
    }
  }
}
