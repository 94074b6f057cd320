package dev.millrace.internal.engine.topology;

import dev.millrace.api.Processor;
import dev.millrace.api.function.Initializer;
import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.reflect.Executable;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads from a function of the application which types it takes and gives.
///
/// The functional interfaces of the API extend [Serializable] so that the compiler leaves a
/// lambda's types in it, in the object that would be serialized in its place; nothing ever is
/// serialized. A lambda with a body shows classes, without their type arguments. A reference to a
/// method (`Profile::tags`) leads to its declaration, which has them. A class that implements the
/// interface says them itself.
///
/// A type is known only if nothing about it is open, and it is never narrower than what the
/// compiler took for the function's type: values from elsewhere may be of that type too.
final class LambdaTypes {
  private final Class<?> holder;
  private final Method method;
  private final @Nullable LambdaBody body;

  /// @param holder the functional interface of a lambda, the class of another function
  /// @param method of the functional interface
  /// @param body null if the function is an object of an ordinary class
  private LambdaTypes(Class<?> holder, Method method, @Nullable LambdaBody body) {
    this.holder = holder;
    this.method = method;
    this.body = body;
  }

  /// What a function returns; of a primitive the box.
  static ShownType result(Serializable function) {
    return read(function, LambdaTypes::result);
  }

  /// The elements of the [Iterable] that a function returns.
  static ShownType resultElement(Serializable function) {
    return resultArgument(function, Iterable.class);
  }

  /// The type argument of what a function returns, as it gives it to one of its supertypes.
  static ShownType resultArgument(Serializable function, Class<?> generic) {
    return read(function, types -> argument(types.declaredResult(), generic, 0));
  }

  /// What a function takes at a position from 0 on; of a primitive the box.
  static ShownType parameter(Serializable function, int index) {
    return read(function, types -> types.parameter(index));
  }

  /// The results of the processors that an initializer returns. None is made to find out.
  static ShownType processorResult(Initializer<?> processors) {
    return read(processors, types -> argument(types.declaredResult(), Processor.class, 2));
  }

  /// The type argument that a class gives to one of its supertypes, itself or through others.
  static ShownType typeArgument(Class<?> implementation, Class<?> generic, int index) {
    return argument(implementation, generic, index);
  }

  private static ShownType argument(Type type, Class<?> generic, int index) {
    Type argument = GenericTypes.argument(type, generic, index);
    if (argument != null) {
      return ShownType.judge(argument, type.getTypeName());
    }
    return ShownType.unknown(
        GenericTypes.erasure(type) == generic
            ? "the lambda shows only " + GenericTypes.open(type)
            : type.getTypeName() + " says no type arguments of " + generic.getName());
  }

  private static ShownType read(Serializable function, Function<LambdaTypes, ShownType> question) {
    Class<?> type = function.getClass();
    try {
      LambdaBody body = LambdaBody.of(function);
      Class<?> holder = body == null ? type : body.functionalInterface();
      Method method = abstractMethod(holder);
      return method == null
          ? ShownType.unknown(type.getName() + " implements no function of the API")
          : question.apply(new LambdaTypes(holder, method, body));
    } catch (InaccessibleObjectException e) {
      return ShownType.unknown(
          "the package %s is not open to this library".formatted(type.getPackageName()));
    } catch (ReflectiveOperationException | TypeNotPresentException e) {
      return ShownType.unknown("a class that the function names cannot be loaded: " + e);
    }
  }

  /// The one method of the functional interface that a class implements.
  private static @Nullable Method abstractMethod(Class<?> type) {
    if (type.isInterface() && Serializable.class.isAssignableFrom(type)) {
      return Arrays.stream(type.getMethods())
          .filter(method -> Modifier.isAbstract(method.getModifiers()))
          .findFirst()
          .orElse(null);
    }
    return Stream.concat(
            Arrays.stream(type.getInterfaces()), Stream.ofNullable(type.getSuperclass()))
        .flatMap(parent -> Stream.ofNullable(abstractMethod(parent)))
        .findFirst()
        .orElse(null);
  }

  private ShownType result() {
    ShownType said = said(method.getGenericReturnType());
    if (said.isKnown() || body == null) {
      return said;
    }
    Class<?> shown = boxed(body.instantiated().returnType());
    Executable implementation = body.implementation();
    Type fitting =
        implementation == null
            ? null
            : GenericTypes.supertype(boxed(body.declaredResult(implementation)), shown);
    return either(fitting, shown);
  }

  /// What is returned by declaration, even if that is narrower than the type of the function: for
  /// what is asked of one of its supertypes.
  private Type declaredResult() {
    Type said = resolved(method.getGenericReturnType());
    if (body == null) {
      return said;
    }
    Executable implementation = body.implementation();
    return implementation == null
        ? GenericTypes.open(said).isEmpty() ? said : body.instantiated().returnType()
        : body.declaredResult(implementation);
  }

  private ShownType parameter(int index) {
    ShownType said = said(method.getGenericParameterTypes()[index]);
    if (said.isKnown() || body == null) {
      return said;
    }
    Class<?> shown = boxed(body.instantiated().parameterType(index));
    Executable implementation = body.implementation();
    Type declared = implementation == null ? null : body.declaredParameter(implementation, index);
    boolean fits = declared != null && GenericTypes.erasure(declared) == shown;
    return either(fits ? declared : null, shown);
  }

  /// The type declared by the method referred to if it is known, else what the lambda shows.
  private static ShownType either(@Nullable Type declared, Class<?> shown) {
    ShownType plain = ShownType.judge(shown, "the lambda");
    if (declared == null || plain.isKnown()) {
      return plain;
    }
    return ShownType.judge(declared, "the method referred to");
  }

  /// A type that the functional interface declares, as the holder of its type arguments says it.
  private ShownType said(Type declared) {
    return ShownType.judge(boxed(resolved(declared)), holder.getName());
  }

  private Type resolved(Type declared) {
    Type context = GenericTypes.supertype(holder, method.getDeclaringClass());
    return context == null ? declared : GenericTypes.resolve(declared, context);
  }

  private static Type boxed(Type type) {
    return type instanceof Class<?> plain ? boxed(plain) : type;
  }

  private static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }
}
