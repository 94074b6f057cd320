package dev.millrace.internal.engine.topology;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Follows type arguments through class hierarchies.
final class GenericTypes {
  private GenericTypes() {}

  /// A type seen as one of its supertypes: `ArrayList<String>` as `Iterable<String>`. Where the
  /// hierarchy leaves an argument open, a type variable stands in its place.
  ///
  /// @return null if the target is no supertype
  static @Nullable Type supertype(Type type, Class<?> target) {
    Class<?> raw = erasure(type);
    if (raw == target) {
      return type;
    }
    if (!target.isAssignableFrom(raw)) {
      return null;
    }
    Map<TypeVariable<?>, Type> bindings = bindings(type);
    return Stream.concat(
            Stream.ofNullable(raw.getGenericSuperclass()),
            Arrays.stream(raw.getGenericInterfaces()))
        .flatMap(parent -> Stream.ofNullable(supertype(substitute(parent, bindings), target)))
        .findFirst()
        .orElse(target);
  }

  /// One type argument of a generic supertype.
  ///
  /// @return null if the target is no supertype or is used without type arguments
  static @Nullable Type argument(Type type, Class<?> target, int index) {
    return supertype(type, target) instanceof ParameterizedType generic
        ? boundOf(generic.getActualTypeArguments()[index])
        : null;
  }

  /// A declared type with the variables of `context` replaced by its arguments.
  static Type resolve(Type declared, Type context) {
    return substitute(declared, bindings(context));
  }

  static Class<?> erasure(Type type) {
    return switch (type) {
      case Class<?> plain -> plain;
      case ParameterizedType generic -> (Class<?>) generic.getRawType();
      case GenericArrayType array -> erasure(array.getGenericComponentType()).arrayType();
      case TypeVariable<?> variable -> erasure(variable.getBounds()[0]);
      case WildcardType wildcard -> erasure(wildcard.getUpperBounds()[0]);
      default -> Object.class;
    };
  }

  /// What is open in a type, in words; empty if nothing is.
  static String open(Type type) {
    return switch (type) {
      case Class<?> array when array.isArray() -> open(array.getComponentType());
      case Class<?> plain when plain == Object.class -> "java.lang.Object";
      case Class<?> plain ->
          plain.getTypeParameters().length == 0
              ? ""
              : plain.getName() + " without its type arguments";
      case ParameterizedType generic ->
          Arrays.stream(generic.getActualTypeArguments())
              .map(GenericTypes::open)
              .filter(open -> !open.isEmpty())
              .findFirst()
              .map(open -> erasure(generic).getName() + " of " + open)
              .orElse("");
      case GenericArrayType array -> open(array.getGenericComponentType());
      case TypeVariable<?> variable -> "the type variable " + variable.getName();
      case WildcardType wildcard -> open(wildcard.getUpperBounds()[0]);
      default -> type.getTypeName();
    };
  }

  /// `? extends X` becomes `X`.
  private static Type boundOf(Type argument) {
    return argument instanceof WildcardType wildcard ? wildcard.getUpperBounds()[0] : argument;
  }

  private static Map<TypeVariable<?>, Type> bindings(Type type) {
    Map<TypeVariable<?>, Type> bindings = new HashMap<>();
    if (type instanceof ParameterizedType generic) {
      TypeVariable<?>[] variables = erasure(generic).getTypeParameters();
      Type[] arguments = generic.getActualTypeArguments();
      for (int i = 0; i < variables.length; i++) {
        bindings.put(variables[i], arguments[i]);
      }
      if (generic.getOwnerType() != null) {
        bindings.putAll(bindings(generic.getOwnerType()));
      }
    }
    return bindings;
  }

  private static Type substitute(Type type, Map<TypeVariable<?>, Type> bindings) {
    return switch (type) {
      case TypeVariable<?> variable -> bindings.getOrDefault(variable, variable);
      case ParameterizedType generic ->
          new Generic(
              erasure(generic),
              Arrays.stream(generic.getActualTypeArguments())
                  .map(argument -> substitute(argument, bindings))
                  .toList());
      case GenericArrayType array -> {
        Type component = substitute(array.getGenericComponentType(), bindings);
        yield component instanceof Class<?> plain ? plain.arrayType() : new GenericArray(component);
      }
      // A wildcard stands for its bound: what is written and read is of that type.
      case WildcardType wildcard -> substitute(wildcard.getUpperBounds()[0], bindings);
      default -> type;
    };
  }

  private record Generic(Class<?> raw, List<Type> arguments) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return arguments.toArray(Type[]::new);
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return raw.getDeclaringClass();
    }

    @Override
    public String toString() {
      return arguments.stream()
          .map(Type::getTypeName)
          .collect(Collectors.joining(", ", raw.getName() + "<", ">"));
    }
  }

  private record GenericArray(Type component) implements GenericArrayType {
    @Override
    public Type getGenericComponentType() {
      return component;
    }

    @Override
    public String toString() {
      return component.getTypeName() + "[]";
    }
  }
}
