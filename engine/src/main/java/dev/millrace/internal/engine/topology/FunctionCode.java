package dev.millrace.internal.engine.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells whether a function of the application is the one that it was: by a number for the
/// instructions it is made of, as its class file has them.
///
/// In it are the instructions of a lambda, of the lambdas within it, of the method that a reference
/// leads to, or of the class that implements the function, and what it holds, as far as that is a
/// text, a number or another function. What it calls is named and not looked into. Where its code
/// lies, and what the compiler called it, makes no difference. Another compiler may give other
/// instructions for the same source: so another number does not prove that the function differs.
final class FunctionCode {
  /// Of a function whose instructions cannot be read.
  static final String UNKNOWN = "unknown";

  private static final String PARSED = "code";

  private final Fingerprint fingerprint = new Fingerprint();
  private final @Nullable ClassLoader loader;

  /// Those that are being read, so that none is read within itself.
  private final Set<String> within = new HashSet<>();

  private FunctionCode(@Nullable ClassLoader loader) {
    this.loader = loader;
  }

  /// A function that does nothing but call another one.
  interface Around {
    Serializable function();
  }

  /// 16 digits, or [#UNKNOWN].
  static String of(Serializable function) {
    if (function instanceof Around around) {
      return of(around.function());
    }
    FunctionCode code = new FunctionCode(function.getClass().getClassLoader());
    try {
      return code.add(function) ? code.fingerprint.text() : UNKNOWN;
    } catch (ReflectiveOperationException
        | InaccessibleObjectException
        | IOException
        | IllegalArgumentException unreadable) { // the last is how a malformed class file is told
      return UNKNOWN;
    }
  }

  /// @return whether its instructions were found
  private boolean add(Serializable function) throws ReflectiveOperationException, IOException {
    SerializedLambda lambda = LambdaBody.serialized(function);
    if (lambda == null) {
      return addClass(function.getClass());
    }
    boolean found =
        addMethod(
            lambda.getImplClass(), lambda.getImplMethodName(), lambda.getImplMethodSignature());
    for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
      addHeld(lambda.getCapturedArg(i));
    }
    return found;
  }

  /// What a lambda holds.
  private void addHeld(@Nullable Object held) throws ReflectiveOperationException, IOException {
    switch (held) {
      case null -> fingerprint.add("null");
      case String _, Number _, Boolean _, Character _ -> {
        fingerprint.add(held.getClass().getName());
        fingerprint.add(held.toString());
      }
      case Enum<?> constant ->
          fingerprint.add(constant.getDeclaringClass().getName() + constant.name());
      case Serializable function when LambdaBody.serialized(function) != null -> add(function);
      default -> fingerprint.add(held.getClass().getName());
    }
  }

  /// The methods of a class, whose own name is left out where the compiler gave it.
  private boolean addClass(Class<?> type) throws IOException {
    String name = type.getName().replace('.', '/');
    ClassModel model = model(name);
    if (model == null) {
      return false;
    }
    fingerprint.add(type.isAnonymousClass() ? "anonymous" : name);
    List<MethodModel> methods =
        model.methods().stream()
            .filter(method -> method.code().isPresent())
            .sorted(
                Comparator.comparing(method ->
                    method.methodName().stringValue() + method.methodType().stringValue()))
            .toList();
    for (MethodModel method : methods) {
      addInstructions(name, method);
    }
    return true;
  }

  /// A method; its name and that of its class are left out where the compiler gave it one.
  private boolean addMethod(String type, String name, String signature) throws IOException {
    boolean named = !name.startsWith("lambda$");
    if (named) {
      fingerprint.add(type).add(name).add(signature);
    }
    ClassModel model = model(type);
    Optional<MethodModel> method =
        model == null
            ? Optional.empty()
            : model.methods().stream()
                .filter(each -> each.methodName().equalsString(name))
                .filter(each -> each.methodType().equalsString(signature))
                .findFirst();
    if (method.isEmpty()) {
      return named; // that of a superclass, or of the JDK, is known by its name
    }
    if (within.add(type + "." + name + signature)) {
      addInstructions(type, method.get());
    }
    return true;
  }

  private void addInstructions(String type, MethodModel method) throws IOException {
    fingerprint.add(PARSED);
    for (String part : Instructions.of(method)) {
      String inner = Instructions.lambda(part, type);
      if (inner.isEmpty()) {
        fingerprint.add(part);
      } else {
        int signature = inner.indexOf('(');
        addMethod(type, inner.substring(0, signature), inner.substring(signature));
      }
    }
  }

  /// Null if it is a class of the JDK, or nobody has its file.
  private @Nullable ClassModel model(String type) throws IOException {
    if (loader == null || type.startsWith("java/")) {
      return null;
    }
    try (InputStream file = loader.getResourceAsStream(type + ".class")) {
      return file == null
          ? null
          : ClassFile.of(
                  ClassFile.DebugElementsOption.DROP_DEBUG,
                  ClassFile.LineNumbersOption.DROP_LINE_NUMBERS,
                  ClassFile.StackMapsOption.DROP_STACK_MAPS)
              .parse(file.readAllBytes());
    }
  }
}
