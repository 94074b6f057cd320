package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Makes codecs that write what a reader of an older schema understands, and read all that the
/// codecs they are made from read.
///
/// Components have their older name and their older, narrower type in the bytes. Components that
/// the older schema does not have are written, as its readers pass over them. A value that the
/// older schema cannot express is refused with a [SerdeException]: a number that does not fit, null
/// where there was no null, a new constant, a new record of a sealed interface.
final class OlderFormat {
  private static final String ENDS =
      "; it can be written once no older version of the application has to read it";

  private final Schema older;

  /// By codec and older structure; a record may contain itself.
  private final Map<List<Object>, OlderRecordCodec<?>> begun = new HashMap<>();

  private OlderFormat(Schema older) {
    this.older = older;
  }

  /// Returns a codec that writes under an older schema, which the given codec can read; empty if a
  /// serde inside that is not from here cannot write so.
  static <T> Optional<Codec<T>> of(Codec<T> codec, Schema older) {
    try {
      return Optional.of(new OlderFormat(older).codec(codec, older.root()));
    } catch (Impossible _) {
      return Optional.empty();
    }
  }

  /// Returns the failure of a value that the older schema cannot express.
  static SerdeException refused(String what) {
    return new SerdeException(what + ENDS);
  }

  private static final class Impossible extends Exception {
    private static final long serialVersionUID = 1;
  }

  @SuppressWarnings("unchecked") // each makes a codec of the same type
  private <T> Codec<T> codec(Codec<T> codec, Schema.Type type) throws Impossible {
    if (Schema.of(codec).text().equals(new Schema(type, older.structures()).text())) {
      return codec;
    }
    return (Codec<T>)
        switch (codec) {
          case RecordCodec<?> record when type instanceof Schema.Structure structure ->
              record(record, structure);
          case SealedCodec<?> sealed when type instanceof Schema.Choice choice ->
              sealed(sealed, choice);
          case EnumScalar<?> constants when type instanceof Schema.Constants(_, var names) ->
              new OlderEnum<>(constants, Set.copyOf(names));
          case ListCodec<?> list -> new ListCodec<>(codec(list.element(), part(type, 0)));
          case SetCodec<?> set -> new SetCodec<>(codec(set.element(), part(type, 0)));
          case OptionalCodec<?> some -> new OptionalCodec<>(codec(some.element(), part(type, 0)));
          case ArrayCodec<?> array -> array(array, type);
          case MapCodec<?, ?> map ->
              new MapCodec<>(codec(map.key(), part(type, 0)), codec(map.value(), part(type, 1)));
          case ForeignCodec<?> foreign when type instanceof Schema.Foreign(String text, _) ->
              new ForeignCodec<>(foreign.serde().writingAs(text).orElseThrow(Impossible::new));
          default -> throw new AssertionError(codec.id() + " does not read " + type);
        };
  }

  private static Schema.Type part(Schema.Type container, int index) {
    return ((Schema.Container) container).parts().get(index);
  }

  private <E> ArrayCodec<E> array(ArrayCodec<E> array, Schema.Type type) throws Impossible {
    return new ArrayCodec<>(array.type(), codec(array.element(), part(type, 0)));
  }

  private <T> OlderSealed<T> sealed(SealedCodec<T> sealed, Schema.Choice choice) throws Impossible {
    Map<Class<?>, Codec<Object>> known = new LinkedHashMap<>();
    for (RecordCodec<Object> option : sealed.options()) {
      for (Schema.Structure each : choice.options()) {
        if (each.simpleName().equals(option.type().getSimpleName())) {
          known.put(option.type(), codec(option, each));
        }
      }
    }
    return new OlderSealed<>(sealed, known);
  }

  private <R> OlderRecordCodec<R> record(RecordCodec<R> record, Schema.Structure structure)
      throws Impossible {
    List<Object> key = List.of(record, structure.name());
    @SuppressWarnings("unchecked") // it was made from this codec
    OlderRecordCodec<R> known = (OlderRecordCodec<R>) begun.get(key);
    if (known != null) {
      return known;
    }
    OlderRecordCodec<R> made = new OlderRecordCodec<>(record);
    begun.put(key, made);
    Map<String, Schema.Type> past = older.structures().getOrDefault(structure.name(), Map.of());
    List<OlderComponent> components = new ArrayList<>();
    for (CodecComponent component : record.components()) {
      components.add(component(component, past));
    }
    made.link(components);
    return made;
  }

  private OlderComponent component(CodecComponent now, Map<String, Schema.Type> past)
      throws Impossible {
    for (Map.Entry<String, Schema.Type> each : past.entrySet()) {
      String name = each.getKey().split("=", 2)[0];
      if (now.name().equals(name) || now.part().formerNames().contains(name)) {
        return component(now, name, each.getValue());
      }
    }
    return new OlderComponent.Same(now, now.tag());
  }

  private OlderComponent component(CodecComponent now, String name, Schema.Type was)
      throws Impossible {
    Widening widening =
        was instanceof Schema.Plain(String type) ? Widening.of(type, now.code().text) : null;
    if (widening != null) {
      return OlderComponent.narrowed(now.part(), name, widening);
    }
    int tag = CodecComponent.tag(name, now.code());
    Codec<Object> codec = now.codec();
    return codec == null || codec.code() != now.code()
        ? new OlderComponent.Same(now, tag)
        : new OlderComponent.Reference(now.part(), codec(codec, was), tag);
  }
}
