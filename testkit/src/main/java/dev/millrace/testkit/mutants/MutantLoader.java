package dev.millrace.testkit.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Loads the classes of Millrace again, with one planted bug.
final class MutantLoader extends ClassLoader {
  private static final String OURS = "dev.millrace.";
  private static final ClassDesc WRONG = ClassDesc.of("dev.millrace.testkit.mutants", "Wrong");

  private final Mutant mutant;
  private final ClassLoader original;
  private int edits;

  MutantLoader(Mutant mutant) {
    super(MutantLoader.class.getClassLoader());
    this.mutant = mutant;
    original = Objects.requireNonNull(MutantLoader.class.getClassLoader());
  }

  /// How many places were changed; 0 before the class was loaded.
  int edits() {
    return edits;
  }

  /// Whether the class that is changed was loaded at all.
  boolean reached() {
    return findLoadedClass(mutant.className()) != null;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = read(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    byte[] loaded = name.equals(mutant.className()) ? changed(bytes) : bytes;
    return defineClass(name, loaded, 0, loaded.length);
  }

  private byte @Nullable [] read(String name) {
    try (InputStream in = original.getResourceAsStream(name.replace('.', '/') + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] changed(byte[] bytes) {
    ClassFile files =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(original)));
    ClassModel model = files.parse(bytes);
    return files.transformClass(
        model,
        (builder, element) -> {
          if (element instanceof MethodModel method && isMeant(method)) {
            if (mutant.edit() instanceof Edit.DoNothing) {
              edits++;
              builder.withMethodBody(
                  method.methodName(),
                  method.methodType(),
                  method.flags().flagsMask(),
                  code -> {
                    TypeKind kind = TypeKind.from(method.methodTypeSymbol().returnType());
                    if (kind == TypeKind.BOOLEAN) {
                      code.iconst_1();
                    }
                    code.return_(kind);
                  });
            } else {
              builder.transformMethod(
                  method,
                  (within, part) -> {
                    if (part instanceof CodeModel code) {
                      within.transformCode(code, this::edit);
                    } else {
                      within.with(part);
                    }
                  });
            }
          } else {
            builder.with(element);
          }
        });
  }

  private boolean isMeant(MethodModel method) {
    String name = method.methodName().stringValue();
    return !method.flags().has(AccessFlag.ABSTRACT)
        && (name.equals(mutant.method()) || name.startsWith("lambda$" + mutant.method() + "$"));
  }

  private void edit(CodeBuilder code, CodeElement element) {
    if (!(element instanceof InvokeInstruction call)) {
      code.with(element);
      return;
    }
    switch (mutant.edit()) {
      case Edit.SkipCalls(var owner, var method) when isCall(call, owner, method) ->
          skip(code, call);
      case Edit.Redirect(var owner, var method, var wrong) when isCall(call, owner, method) -> {
        boolean ofClass = call.opcode() == Opcode.INVOKESTATIC;
        MethodTypeDesc type =
            ofClass
                ? call.typeSymbol()
                : call.typeSymbol().insertParameterTypes(0, ConstantDescs.CD_Object);
        requireWrong(wrong, type);
        code.invokestatic(WRONG, wrong, type);
        edits++;
      }
      case Edit.AddToLastArgument(var owner, var method, var added)
          when isCall(call, owner, method) -> {
        edits++;
        code.loadConstant(added).ladd().with(element);
      }
      default -> code.with(element);
    }
  }

  /// An error of linkage would be found as if it were the bug.
  private void requireWrong(String name, MethodTypeDesc type) {
    byte[] wrong = Objects.requireNonNull(read(Wrong.class.getName()));
    if (ClassFile.of().parse(wrong).methods().stream()
        .noneMatch(
            each -> each.methodName().equalsString(name) && each.methodTypeSymbol().equals(type))) {
      throw new IllegalStateException(
          "There is no " + name + type.displayDescriptor() + " for " + mutant.name() + ".");
    }
  }

  private static boolean isCall(InvokeInstruction call, String owner, String method) {
    String name = call.owner().asInternalName();
    return call.name().equalsString(method)
        && (name.endsWith("/" + owner) || name.endsWith("$" + owner));
  }

  private void skip(CodeBuilder code, InvokeInstruction call) {
    edits++;
    MethodTypeDesc type = call.typeSymbol();
    for (ClassDesc parameter : type.parameterList().reversed()) {
      if (TypeKind.from(parameter).slotSize() == 2) {
        code.pop2();
      } else {
        code.pop();
      }
    }
    if (call.opcode() != Opcode.INVOKESTATIC) {
      code.pop();
    }
    switch (TypeKind.from(type.returnType())) {
      case VOID -> {}
      case LONG -> code.lconst_0();
      case FLOAT -> code.fconst_0();
      case DOUBLE -> code.dconst_0();
      case REFERENCE -> code.aconst_null().checkcast(type.returnType());
      default -> code.iconst_0();
    }
  }
}
