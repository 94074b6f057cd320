package dev.millrace.api.serde;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/// Makes [Unrolled] code: a hidden class with the parts as constants. Nothing of the record's own
/// names gets into it, and it is gone when its only object is.
final class Unroller {
  private static final ClassDesc SELF = ClassDesc.of("dev.millrace.api.serde.UnrolledParts");
  private static final ClassDesc UNROLLED = of(Unrolled.class);
  private static final ClassDesc READER = of(BytesReader.class);
  private static final ClassDesc WRITER = of(BytesWriter.class);
  private static final ClassDesc SLOTS = of(RecordShape.Slots.class);
  private static final ClassDesc MAKER = of(RecordShape.Maker.class);
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(CD_void);
  private static final MethodTypeDesc WROTE =
      MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_int, WRITER);
  private static final DirectMethodHandleDesc CLASS_DATA =
      ConstantDescs.ofConstantBootstrap(of(MethodHandles.class), "classDataAt", CD_Object, CD_int);

  private static final ClassDesc HANDLE = of(MethodHandle.class);
  private static final MethodTypeDesc GET_BITS =
      RecordShape.GET_BITS.describeConstable().orElseThrow();
  private static final MethodTypeDesc GET_REFERENCE =
      RecordShape.GET_REFERENCE.describeConstable().orElseThrow();

  private static final int BITS = 8;
  private static final int BODY = 0;
  private static final int MAKE = 1;
  private static final int FIRST_PART = 2;

  private final ClassDesc body;
  private final ClassDesc part;
  private final int count;

  /// Which parts are primitives.
  private final boolean[] primitive;

  private Unroller(ClassDesc body, ClassDesc part, RecordShape.Part[] parts) {
    this.body = body;
    this.part = part;
    count = parts.length;
    primitive = new boolean[count];
    for (int i = 0; i < count; i++) {
      primitive[i] = parts[i].primitive() != null;
    }
  }

  private static ClassDesc of(Class<?> type) {
    return ClassDesc.ofDescriptor(type.descriptorString());
  }

  /// @param part the class that all parts have in common
  /// @param parts one for each component of the shape
  static <P> Unrolled unroll(
      Unrolled.Body<P> body, Class<P> part, List<? extends P> parts, RecordShape shape) {
    List<Object> constants = new ArrayList<>();
    constants.add(body);
    constants.add(shape.maker());
    constants.addAll(parts);
    for (RecordShape.Part each : shape.parts()) {
      constants.add(each.getter());
    }
    byte[] code = new Unroller(of(body.getClass()), of(part), shape.parts()).code();
    try {
      MethodHandles.Lookup made =
          MethodHandles.lookup().defineHiddenClassWithClassData(code, constants, true);
      return (Unrolled)
          made.findConstructor(made.lookupClass(), MethodType.methodType(void.class)).invoke();
    } catch (Throwable e) { // outermost: of a handle, which may throw anything
      throw new AssertionError("The code for " + shape.type().getName() + " is wrong.", e);
    }
  }

  private byte[] code() {
    return ClassFile.of()
        .build(
            SELF,
            type ->
                type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                    .withSuperclass(UNROLLED)
                    .withMethodBody(ConstantDescs.INIT_NAME, NOTHING, 0, Unroller::construct)
                    .withMethodBody(
                        "write",
                        MethodTypeDesc.of(CD_void, CD_Object, CD_int, WRITER),
                        0,
                        this::write)
                    .withMethodBody(
                        "read", MethodTypeDesc.of(CD_Object, CD_int, READER), 0, this::read));
  }

  private static void construct(CodeBuilder code) {
    code.aload(0).invokespecial(UNROLLED, ConstantDescs.INIT_NAME, NOTHING).return_();
  }

  private void write(CodeBuilder code) {
    int value = 1;
    int mark = 2;
    int out = 3;
    int bits = 4;
    MethodTypeDesc writeBits = MethodTypeDesc.of(CD_boolean, part, CD_long, WRITER);
    MethodTypeDesc writeReference = MethodTypeDesc.of(CD_boolean, part, CD_Object, WRITER);
    for (int i = 0; i < count; i++) {
      constant(code, BODY, body);
      constant(code, FIRST_PART + i, part);
      constant(code, FIRST_PART + count + i, HANDLE);
      code.aload(value)
          .invokevirtual(HANDLE, "invokeExact", primitive[i] ? GET_BITS : GET_REFERENCE)
          .aload(out);
      if (primitive[i]) {
        code.invokevirtual(body, "writeBits", writeBits);
      } else {
        code.invokevirtual(body, "writeReference", writeReference);
      }
      if (i % BITS > 0) {
        code.loadConstant(i % BITS).ishl().iload(bits).ior();
      }
      code.istore(bits);
      if (i % BITS == BITS - 1 || i == count - 1) {
        constant(code, BODY, body);
        code.loadConstant(i / BITS).iload(bits).iload(mark).aload(out);
        code.invokevirtual(body, "wrote", WROTE);
      }
    }
    code.return_();
  }

  private void read(CodeBuilder code) {
    int mark = 1;
    int in = 2;
    int slots = 3;
    MethodTypeDesc read = MethodTypeDesc.of(CD_void, part, CD_int, CD_int, READER, SLOTS);
    constant(code, MAKE, MAKER);
    code.invokevirtual(MAKER, "slots", MethodTypeDesc.of(SLOTS)).astore(slots);
    for (int i = 0; i < count; i++) {
      constant(code, BODY, body);
      constant(code, FIRST_PART + i, part);
      code.loadConstant(i).iload(mark).aload(in).aload(slots).invokevirtual(body, "read", read);
    }
    constant(code, MAKE, MAKER);
    code.aload(slots).invokevirtual(MAKER, "make", MethodTypeDesc.of(CD_Object, SLOTS)).areturn();
  }

  private static void constant(CodeBuilder code, int index, ClassDesc type) {
    code.loadConstant(
        DynamicConstantDesc.ofNamed(CLASS_DATA, ConstantDescs.DEFAULT_NAME, type, index));
  }
}
