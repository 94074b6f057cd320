package dev.millrace.internal.engine.chain;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.millrace.api.function.Consumer;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.topology.Node;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/// Makes the [RunStep.Loop] of a run: a hidden class whose constants are the functions of the
/// application, so that the JIT knows each of them where it is called and makes one piece of code
/// of all. A value stays in a variable from the first function to the last.
final class LoopMaker {
  private static final ClassDesc SELF = ClassDesc.of("dev.millrace.internal.engine.chain.MadeLoop");
  private static final ClassDesc LOOP = of(RunStep.Loop.class);
  private static final ClassDesc STEP = of(RunStep.class);
  private static final ClassDesc ROWS = of(Rows.class);
  private static final ClassDesc SERDE = of(Serde.class);
  private static final ClassDesc PREDICATE = of(Predicate.class);
  private static final ClassDesc MAPPER = of(Mapper.class);
  private static final ClassDesc CONSUMER = of(Consumer.class);
  private static final ClassDesc NUMBERS = CD_int.arrayType();
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(CD_void);
  private static final MethodTypeDesc SELECTED =
      MethodTypeDesc.of(CD_void, ROWS, CD_int, CD_Object);
  private static final MethodTypeDesc MADE =
      MethodTypeDesc.of(CD_void, ROWS, CD_int, CD_Object, CD_long, CD_boolean);
  private static final DirectMethodHandleDesc CLASS_DATA =
      ConstantDescs.ofConstantBootstrap(of(MethodHandles.class), "classDataAt", CD_Object, CD_int);

  /// The variables of the loop.
  private static final int STEP_AT = 1;

  private static final int IN = 2;
  private static final int OUT = 3;
  private static final int ROW = 4;
  private static final int SIZE = 5;
  private static final int VALUE = 6;

  /// The first of those that count the rows which a filter lets through.
  private static final int COUNTS = 7;

  private final Run run;

  /// What the code calls, in the order of the nodes; behind it the serde that decodes, if one does.
  private final List<Object> constants = new ArrayList<>();

  private LoopMaker(Run run) {
    this.run = run;
    for (Node node : run.nodes()) {
      constants.add(
          switch (node) {
            case Node.Filter filter -> filter.predicate();
            case Node.Map map -> map.mapper();
            case Node.Peek peek -> peek.consumer();
            default -> throw new AssertionError("Not in a run: " + node);
          });
    }
    if (run.decodes() != null) {
      constants.add(run.decodes());
    }
  }

  private static ClassDesc of(Class<?> type) {
    return ClassDesc.ofDescriptor(type.descriptorString());
  }

  static RunStep.Loop make(Run run) {
    LoopMaker maker = new LoopMaker(run);
    try {
      MethodHandles.Lookup made =
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(maker.code(), maker.constants, true);
      return (RunStep.Loop)
          made.findConstructor(made.lookupClass(), MethodType.methodType(void.class)).invoke();
    } catch (Throwable e) { // outermost: of a handle, which may throw anything
      throw new AssertionError("The code for " + run.nodes() + " is wrong.", e);
    }
  }

  private byte[] code() {
    return ClassFile.of()
        .build(
            SELF,
            type ->
                type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                    .withInterfaceSymbols(LOOP)
                    .withMethodBody(
                        ConstantDescs.INIT_NAME,
                        NOTHING,
                        0,
                        code ->
                            code.aload(0)
                                .invokespecial(CD_Object, ConstantDescs.INIT_NAME, NOTHING)
                                .return_())
                    .withMethodBody(
                        "apply",
                        MethodTypeDesc.of(CD_void, STEP, ROWS, ROWS),
                        ClassFile.ACC_PUBLIC,
                        this::apply));
  }

  private void apply(CodeBuilder code) {
    Label body = code.newLabel();
    Label next = code.newLabel();
    Label test = code.newLabel();
    code.aload(IN).invokevirtual(ROWS, "size", MethodTypeDesc.of(CD_int)).istore(SIZE);
    for (int i = 0; i < run.lastFilter(); i++) {
      code.iconst_0().istore(COUNTS + i);
    }
    code.iconst_0().istore(ROW).goto_(test);
    code.labelBinding(body);
    code.aload(IN).iload(ROW).putfield(ROWS, "current", CD_int);
    if (run.decodes() != null) {
      stand(code, run.nodes().size());
    }
    load(code);
    stand(code, 0);
    for (int i = 0; i < run.nodes().size(); i++) {
      if (i > 0) {
        stand(code, i);
      }
      call(code, i, next);
    }
    give(code);
    code.labelBinding(next);
    code.iinc(ROW, 1);
    code.labelBinding(test);
    code.iload(ROW).iload(SIZE).if_icmplt(body);
    for (int i = 0; i < run.lastFilter(); i++) {
      if (run.nodes().get(i) instanceof Node.Filter) {
        code.aload(STEP_AT).getfield(STEP, "passed", NUMBERS);
        code.loadConstant(i).iload(COUNTS + i).iastore();
      }
    }
    code.return_();
  }

  private void stand(CodeBuilder code, int index) {
    code.aload(STEP_AT).loadConstant(index).putfield(STEP, "at", CD_int);
  }

  private void load(CodeBuilder code) {
    if (run.decodes() == null) {
      code.aload(IN).iload(ROW);
      code.invokevirtual(ROWS, "value", MethodTypeDesc.of(CD_Object, CD_int));
    } else {
      code.aload(IN).iload(ROW);
      constant(code, run.nodes().size(), SERDE);
      code.invokevirtual(ROWS, "decode", MethodTypeDesc.of(CD_Object, CD_int, SERDE));
    }
    code.astore(VALUE);
  }

  private void call(CodeBuilder code, int index, Label next) {
    switch (run.nodes().get(index)) {
      case Node.Filter _ -> {
        constant(code, index, PREDICATE);
        code.aload(VALUE);
        code.invokeinterface(PREDICATE, "test", MethodTypeDesc.of(CD_boolean, CD_Object));
        code.ifeq(next);
        if (index < run.lastFilter()) {
          code.iinc(COUNTS + index, 1);
        }
      }
      case Node.Map _ -> {
        constant(code, index, MAPPER);
        code.aload(VALUE);
        code.invokeinterface(MAPPER, "map", MethodTypeDesc.of(CD_Object, CD_Object));
        code.astore(VALUE);
      }
      case Node.Peek _ -> {
        constant(code, index, CONSUMER);
        code.aload(VALUE);
        code.invokeinterface(CONSUMER, "accept", MethodTypeDesc.of(CD_void, CD_Object));
      }
      default -> throw new AssertionError("Not in a run: " + run.nodes().get(index));
    }
  }

  private void give(CodeBuilder code) {
    switch (run.gives()) {
      case ALL -> {}
      case SELECTED -> {
        code.aload(OUT).aload(IN).iload(ROW).aload(VALUE);
        code.invokevirtual(ROWS, "addSelected", SELECTED);
      }
      case MADE -> {
        code.aload(OUT).aload(IN).iload(ROW).aload(VALUE).aload(IN).iload(ROW);
        code.invokevirtual(ROWS, "timestamp", MethodTypeDesc.of(CD_long, CD_int));
        code.loadConstant(run.keepsKeys() ? 1 : 0);
        code.invokevirtual(ROWS, "addMade", MADE);
      }
    }
  }

  private static void constant(CodeBuilder code, int index, ClassDesc type) {
    code.loadConstant(
        DynamicConstantDesc.ofNamed(CLASS_DATA, ConstantDescs.DEFAULT_NAME, type, index));
  }
}
