package dev.millrace.api.serde;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// How to take one record class apart and put it together: method handles on its accessors and its
/// canonical constructor, made once for a class. Kept with the class, and gone when it is unloaded.
final class RecordShape {
  /// Of what gets a primitive component out of a record; see [Primitive].
  static final MethodType GET_BITS = MethodType.methodType(long.class, Object.class);

  /// Of what gets another component out of a record.
  static final MethodType GET_REFERENCE = MethodType.methodType(Object.class, Object.class);

  private static final MethodHandles.Lookup OWN = MethodHandles.lookup();

  private static final ClassValue<RecordShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
          return new RecordShape(type, OWN);
        }
      };

  private final Class<?> type;
  private final Part[] parts;
  private final Maker maker;

  private RecordShape(Class<?> type, MethodHandles.Lookup caller) {
    this.type = type;
    RecordComponent[] components = components(type);
    parts = new Part[components.length];
    try {
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, caller);
      int count = 0;
      for (int i = 0; i < components.length; i++) {
        boolean primitive = components[i].getType().isPrimitive();
        parts[i] = part(components[i], lookup, primitive ? count++ : i - count);
      }
      maker = new Maker(type, count, parts.length - count, constructor(lookup));
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          ("The record %s cannot be accessed: its module has to open the package %s to %s, or to"
                  + " give a lookup of its own")
              .formatted(type.getName(), type.getPackageName(), moduleName()),
          e);
    }
  }

  private static String moduleName() {
    return Objects.requireNonNullElse(
        RecordShape.class.getModule().getName(), "all (the class path)");
  }

  /// The shape of a record class that is open to this module.
  ///
  /// @throws IllegalArgumentException if it is not
  static RecordShape of(Class<?> type) {
    return SHAPES.get(type);
  }

  /// The components of a class that is known to be a record.
  static RecordComponent[] components(Class<?> type) {
    return Objects.requireNonNull(type.getRecordComponents(), type::getName);
  }

  /// The shape of a record class that is open to the one who made the lookup.
  static RecordShape of(Class<?> type, MethodHandles.@Nullable Lookup lookup) {
    return lookup == null ? of(type) : new RecordShape(type, lookup);
  }

  /// One component.
  ///
  /// @param formerNames what it was called before
  /// @param primitive null for references
  /// @param getter of type [#GET_BITS] if it is primitive, of [#GET_REFERENCE] if not
  /// @param slot the component's place among those of its kind
  record Part(
      String name,
      List<String> formerNames,
      @Nullable Primitive primitive,
      MethodHandle getter,
      int slot) {

    /// Returns the name as schemas have it: with those before it, each after an equals sign.
    String nameInSchema() {
      return formerNames.isEmpty() ? name : name + "=" + String.join("=", formerNames);
    }
  }

  /// The values of all components on the way to the constructor; zero and null until set.
  static final class Slots {
    final long[] bits;
    final @Nullable Object[] references;

    Slots(int bits, int references) {
      this.bits = new long[bits];
      this.references = new Object[references];
    }

    long bitsAt(int index) {
      return bits[index];
    }

    @Nullable Object referenceAt(int index) {
      return references[index];
    }
  }

  Class<?> type() {
    return type;
  }

  Part[] parts() {
    return parts;
  }

  Maker maker() {
    return maker;
  }

  /// Makes records.
  ///
  /// @param bits how many components are primitive
  /// @param references how many are not
  /// @param constructor the canonical one
  record Maker(Class<?> type, int bits, int references, Function<Slots, Object> constructor) {

    Slots slots() {
      return new Slots(bits, references);
    }

    /// Calls the canonical constructor.
    Object make(Slots slots) {
      try {
        return constructor.apply(slots);
      } catch (RuntimeException e) { // outermost: of the user's code, which may throw anything
        throw new SerdeException(
            "the constructor of %s refused what was read: %s"
                .formatted(type.getSimpleName(), e.getClass().getSimpleName()),
            e);
      }
    }
  }

  private static Part part(RecordComponent component, MethodHandles.Lookup lookup, int slot)
      throws ReflectiveOperationException {
    MethodHandle getter = lookup.unreflect(component.getAccessor());
    if (component.getType().isPrimitive()) {
      Primitive primitive = Primitive.of(component.getType());
      MethodHandle bits = primitive.toBits(getter).asType(GET_BITS);
      return new Part(component.getName(), formerNames(component), primitive, bits, slot);
    }
    return new Part(
        component.getName(), formerNames(component), null, getter.asType(GET_REFERENCE), slot);
  }

  private static List<String> formerNames(RecordComponent component) {
    Was was = component.getAnnotation(Was.class);
    return was == null ? List.of() : List.of(was.value());
  }

  /// The constructor as a function of the slots: each parameter is taken from its slot, so nothing
  /// is boxed and there is no array of arguments.
  @SuppressWarnings("unchecked") // the handle has this type
  private Function<Slots, Object> constructor(MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    Class<?>[] types =
        Arrays.stream(components(type)).map(RecordComponent::getType).toArray(Class<?>[]::new);
    MethodHandle handle =
        lookup.findConstructor(type, MethodType.methodType(void.class, types)).asFixedArity();
    MethodHandle bits =
        OWN.findVirtual(Slots.class, "bitsAt", MethodType.methodType(long.class, int.class));
    MethodHandle reference =
        OWN.findVirtual(Slots.class, "referenceAt", MethodType.methodType(Object.class, int.class));
    MethodHandle[] values = new MethodHandle[types.length];
    for (int i = 0; i < types.length; i++) {
      Primitive primitive = parts[i].primitive;
      values[i] =
          primitive == null
              ? MethodHandles.insertArguments(reference, 1, parts[i].slot)
                  .asType(MethodType.methodType(types[i], Slots.class))
              : primitive.fromBits(MethodHandles.insertArguments(bits, 1, parts[i].slot));
    }
    handle = MethodHandles.filterArguments(handle, 0, values);
    MethodType one = MethodType.methodType(type, Slots.class);
    handle = MethodHandles.permuteArguments(handle, one, new int[types.length]);
    return MethodHandleProxies.asInterfaceInstance(
        Function.class, handle.asType(MethodType.methodType(Object.class, Object.class)));
  }
}
