package dev.millrace.api.serde;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/// Says a type with its type arguments: `new TypeRef<List<String>>() {}`.
public abstract class TypeRef<T> {
  private final Type type;

  /// @throws IllegalArgumentException if the subclass says no type argument
  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType generic)
        || generic.getRawType() != TypeRef.class) {
      throw new IllegalArgumentException(
          "A TypeRef is made as new TypeRef<List<String>>() {}, with a type argument");
    }
    type = generic.getActualTypeArguments()[0];
  }

  public final Type type() {
    return type;
  }

  @Override
  public final String toString() {
    return type.getTypeName();
  }
}
