package dev.millrace.internal.engine.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.LineNumber;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import org.jspecify.annotations.Nullable;

/// Says where the author of an application finds a function of it.
public final class FunctionPlace {
  private static final String OWN = "dev.millrace.internal.engine.topology.";

  private FunctionPlace() {}

  /// The file and line of a lambda, such as `Orders.java:41`; class and method of a reference, such
  /// as `Order::isLarge`; the name of a class that implements the function. Empty if it is the
  /// engine's own, or cannot be told.
  public static String of(Serializable function) {
    if (function instanceof FunctionCode.Around around) {
      return of(around.function());
    }
    try {
      SerializedLambda lambda = LambdaBody.serialized(function);
      Class<?> type = function.getClass();
      if (lambda == null) {
        return type.getName().startsWith(OWN) ? "" : simple(type.getName());
      }
      String implementing = lambda.getImplClass().replace('/', '.');
      if (implementing.startsWith(OWN)) {
        return "";
      }
      String method = lambda.getImplMethodName();
      return method.startsWith("lambda$")
          ? line(type.getClassLoader(), lambda)
          : simple(implementing) + "::" + method.replace("<init>", "new");
    } catch (ReflectiveOperationException
        | InaccessibleObjectException
        | IOException
        | IllegalArgumentException unreadable) { // the last is how a malformed class file is told
      return "";
    }
  }

  /// A class without its package and the classes around it, but for one that has no name.
  private static String simple(String className) {
    String name = className.substring(className.lastIndexOf('.') + 1);
    String inner = name.substring(name.lastIndexOf('$') + 1);
    return inner.isEmpty() || Character.isDigit(inner.charAt(0)) ? name : inner;
  }

  private static String line(@Nullable ClassLoader loader, SerializedLambda lambda)
      throws IOException {
    if (loader == null) {
      return "";
    }
    try (InputStream in = loader.getResourceAsStream(lambda.getImplClass() + ".class")) {
      return in == null ? "" : line(ClassFile.of().parse(in.readAllBytes()), lambda);
    }
  }

  private static String line(ClassModel type, SerializedLambda lambda) {
    String file =
        type.findAttribute(Attributes.sourceFile())
            .map(source -> source.sourceFile().stringValue())
            .orElse("");
    for (MethodModel method : type.methods()) {
      if (method.methodName().equalsString(lambda.getImplMethodName())
          && method.methodType().equalsString(lambda.getImplMethodSignature())
          && method.code().isPresent()) {
        for (CodeElement element : method.code().get()) {
          if (element instanceof LineNumber number) {
            return file + ":" + number.line();
          }
        }
      }
    }
    return file;
  }
}
