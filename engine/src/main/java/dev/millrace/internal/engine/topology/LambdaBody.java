package dev.millrace.internal.engine.topology;

import java.io.Serializable;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the compiler left in a lambda or method reference.
///
/// @param functionalInterface the interface it was written for
/// @param instantiated the types of its method where it was written, as classes
/// @param implementing the class that has the method referred to or, as far as known, the one that
///   inherits it and may say its type arguments
/// @param implementation the method or constructor referred to; null for a lambda with a body,
///   whose method the compiler made without type arguments
/// @param captured how many values of the place where it was written it holds
record LambdaBody(
    Class<?> functionalInterface,
    MethodType instantiated,
    Class<?> implementing,
    @Nullable Executable implementation,
    int captured) {

  /// @return null if the function is an object of an ordinary class
  /// @throws ReflectiveOperationException if the compiler's marks lead nowhere
  /// @throws java.lang.reflect.InaccessibleObjectException if the application's module is not open
  /// @throws TypeNotPresentException if a class that the function names is not there
  static @Nullable LambdaBody of(Serializable function) throws ReflectiveOperationException {
    SerializedLambda lambda = serialized(function);
    if (lambda == null) {
      return null;
    }
    ClassLoader loader = function.getClass().getClassLoader();
    Class<?> declaring = load(lambda.getImplClass(), loader);
    MethodType instantiated =
        MethodType.fromMethodDescriptorString(lambda.getInstantiatedMethodType(), loader);
    MethodType type =
        MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader);
    Executable implementation =
        lambda.getImplMethodKind() == MethodHandleInfo.REF_newInvokeSpecial
            ? declaring.getDeclaredConstructor(type.parameterArray())
            : method(declaring, lambda.getImplMethodName(), type);
    return new LambdaBody(
        load(lambda.getFunctionalInterfaceClass(), loader),
        instantiated,
        implementation instanceof Method method && !isStatic(method)
            ? receiver(lambda, instantiated)
            : declaring,
        implementation == null || implementation.isSynthetic() ? null : implementation,
        lambda.getCapturedArgCount());
  }

  /// What would be serialized in place of a lambda; null if the function is an object of an
  /// ordinary class.
  static @Nullable SerializedLambda serialized(Serializable function)
      throws ReflectiveOperationException {
    Class<?> type = function.getClass();
    if (!type.isSynthetic()) {
      return null;
    }
    Method writeReplace =
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> method.getName().equals("writeReplace"))
            .findFirst()
            .orElse(null);
    if (writeReplace == null) {
      return null;
    }
    writeReplace.setAccessible(true);
    return (SerializedLambda) writeReplace.invoke(function);
  }

  /// Whether a function is a reference to a method, such as `Record::value`.
  static boolean isReference(Serializable function, Class<?> type, String method) {
    try {
      SerializedLambda lambda = serialized(function);
      return lambda != null
          && lambda.getImplClass().equals(type.getName().replace('.', '/'))
          && lambda.getImplMethodName().equals(method);
    } catch (ReflectiveOperationException | InaccessibleObjectException unreadable) {
      return false;
    }
  }

  /// The class of the object that the method is called on: held by the lambda, or its first
  /// argument.
  private static Class<?> receiver(SerializedLambda lambda, MethodType instantiated) {
    return lambda.getCapturedArgCount() > 0
        ? lambda.getCapturedArg(0).getClass()
        : instantiated.parameterType(0);
  }

  private static boolean isStatic(Executable executable) {
    return Modifier.isStatic(executable.getModifiers());
  }

  private static Class<?> load(String internalName, @Nullable ClassLoader loader)
      throws ClassNotFoundException {
    return Class.forName(internalName.replace('/', '.'), false, loader);
  }

  private static @Nullable Method method(Class<?> type, String name, MethodType signature) {
    return Stream.concat(
            Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .filter(method -> method.getReturnType() == signature.returnType())
                .filter(method ->
                    Arrays.equals(method.getParameterTypes(), signature.parameterArray())),
            Stream.concat(
                    Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .flatMap(parent -> Stream.ofNullable(method(parent, name, signature))))
        .findFirst()
        .orElse(null);
  }

  /// What the method or constructor is declared to return.
  Type declaredResult(Executable of) {
    return of instanceof Method method
        ? resolved(method.getGenericReturnType(), method)
        : implementing;
  }

  /// What the method or constructor is declared to take at a position of the functional interface;
  /// null for constructors that take more than they declare.
  @Nullable Type declaredParameter(Executable of, int index) {
    List<Type> parameters = new ArrayList<>();
    if (!(of instanceof Constructor<?>) && !isStatic(of)) {
      parameters.add(implementing);
    }
    for (Type parameter : of.getGenericParameterTypes()) {
      parameters.add(resolved(parameter, of));
    }
    int position = captured + index;
    return position < parameters.size() ? parameters.get(position) : null;
  }

  private Type resolved(Type declared, Executable of) {
    Type context = GenericTypes.supertype(implementing, of.getDeclaringClass());
    return context == null ? declared : GenericTypes.resolve(declared, context);
  }
}
