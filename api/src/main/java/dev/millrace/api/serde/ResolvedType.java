package dev.millrace.api.serde;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A type without variables: a class and what stands between its angle brackets, or an array class
/// and the type of its elements.
record ResolvedType(Class<?> raw, List<ResolvedType> arguments) {

  /// @throws IllegalArgumentException if the type has variables, or a class stands there without
  ///   its type arguments
  static ResolvedType of(Type type) {
    return of(type, Map.of());
  }

  /// The type of something declared inside this type, such as a component.
  ResolvedType resolve(Type declared) {
    Map<TypeVariable<?>, ResolvedType> bindings = new HashMap<>();
    TypeVariable<?>[] variables = raw.getTypeParameters();
    for (int i = 0; i < variables.length; i++) {
      bindings.put(variables[i], arguments.get(i));
    }
    return of(declared, bindings);
  }

  private static ResolvedType of(Type type, Map<TypeVariable<?>, ResolvedType> bindings) {
    return switch (type) {
      case Class<?> array when array.isArray() ->
          new ResolvedType(array, List.of(of(array.getComponentType(), bindings)));
      case Class<?> plain -> {
        if (plain.getTypeParameters().length > 0) {
          throw new IllegalArgumentException(
              plain.getName() + " stands there without its type arguments");
        }
        yield new ResolvedType(plain, List.of());
      }
      case ParameterizedType generic ->
          new ResolvedType(
              (Class<?>) generic.getRawType(),
              Arrays.stream(generic.getActualTypeArguments())
                  .map(argument -> of(argument, bindings))
                  .toList());
      case GenericArrayType array -> {
        ResolvedType element = of(array.getGenericComponentType(), bindings);
        yield new ResolvedType(element.raw.arrayType(), List.of(element));
      }
      case WildcardType wildcard -> of(wildcard.getUpperBounds()[0], bindings);
      case TypeVariable<?> variable -> {
        ResolvedType bound = bindings.get(variable);
        if (bound == null) {
          throw new IllegalArgumentException(
              "the type variable " + variable + " stands for no type here");
        }
        yield bound;
      }
      default -> throw new IllegalArgumentException("no class: " + type.getTypeName());
    };
  }

  /// The class with the type arguments, such as `dev.x.Pair<string,long>`.
  String nameWith(List<String> argumentIds) {
    return argumentIds.isEmpty()
        ? raw.getName()
        : raw.getName() + "<" + String.join(",", argumentIds) + ">";
  }

  @Override
  public String toString() {
    return nameWith(arguments.stream().map(ResolvedType::toString).toList());
  }
}
