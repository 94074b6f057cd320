package dev.millrace.internal.engine.topology;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The instructions of a method as texts that depend on neither the numbers of a class file's
/// constants nor the bytes that an instruction takes.
final class Instructions {
  /// Before a lambda within the method: its class, its name and its types follow.
  private static final String LAMBDA = "lambda ";

  private final Map<Label, Integer> places = new HashMap<>();
  private final List<String> parts = new ArrayList<>();

  private Instructions() {}

  static List<String> of(MethodModel method) {
    Instructions instructions = new Instructions();
    method.code().ifPresent(instructions::read);
    return instructions.parts;
  }

  /// The name and the types of a lambda of a class that a part stands for; empty if it is another
  /// part.
  static String lambda(String part, String type) {
    String before = LAMBDA + type + " ";
    return part.startsWith(before) ? part.substring(before.length()) : "";
  }

  private void read(CodeModel code) {
    int place = 0;
    for (CodeElement element : code) {
      if (element instanceof LabelTarget target) {
        places.put(target.label(), place);
      } else if (element instanceof Instruction) {
        place++;
      }
    }
    for (CodeElement element : code) {
      switch (element) {
        case Instruction instruction -> add(instruction);
        case ExceptionCatch caught ->
            parts.add(
                "catch %s %s %s %s"
                    .formatted(
                        caught.catchType().map(type -> type.asInternalName()).orElse("any"),
                        at(caught.tryStart()),
                        at(caught.tryEnd()),
                        at(caught.handler())));
        default -> {} // labels, and what is for debuggers
      }
    }
  }

  private String at(Label label) {
    return "@" + Objects.requireNonNull(places.get(label));
  }

  private void add(Instruction instruction) {
    String kind = instruction.opcode().kind().name();
    switch (instruction) {
      case ConstantInstruction constant ->
          parts.add(kind + " " + constant.typeKind() + " " + text(constant.constantValue()));
      case LoadInstruction load -> parts.add(kind + " " + load.typeKind() + " " + load.slot());
      case StoreInstruction store -> parts.add(kind + " " + store.typeKind() + " " + store.slot());
      case IncrementInstruction increment ->
          parts.add(kind + " " + increment.slot() + " " + increment.constant());
      case FieldInstruction field ->
          parts.add(
              "%s %s.%s %s"
                  .formatted(
                      instruction.opcode(),
                      field.owner().asInternalName(),
                      field.name().stringValue(),
                      field.type().stringValue()));
      case InvokeInstruction invoke ->
          parts.add(
              "%s %s.%s%s"
                  .formatted(
                      instruction.opcode(),
                      invoke.owner().asInternalName(),
                      invoke.name().stringValue(),
                      invoke.type().stringValue()));
      case InvokeDynamicInstruction dynamic -> addDynamic(kind, dynamic);
      case NewObjectInstruction made -> parts.add(kind + " " + made.className().asInternalName());
      case NewReferenceArrayInstruction made ->
          parts.add(kind + " " + made.componentType().asInternalName());
      case NewPrimitiveArrayInstruction made -> parts.add(kind + " " + made.typeKind());
      case NewMultiArrayInstruction made ->
          parts.add(kind + " " + made.arrayType().asInternalName() + " " + made.dimensions());
      case TypeCheckInstruction check ->
          parts.add(instruction.opcode() + " " + check.type().asInternalName());
      // A jump over many bytes is another instruction than one over few.
      case BranchInstruction branch ->
          parts.add(
              (kind.equals("BRANCH") ? branch.opcode().name().replace("_W", "") : kind)
                  + at(branch.target()));
      case TableSwitchInstruction cases -> addSwitch(kind, cases.defaultTarget(), cases.cases());
      case LookupSwitchInstruction cases -> addSwitch(kind, cases.defaultTarget(), cases.cases());
      default -> parts.add(instruction.opcode().name());
    }
  }

  private void addSwitch(String kind, Label otherwise, List<SwitchCase> cases) {
    parts.add(kind + " " + at(otherwise));
    cases.forEach(each -> parts.add(each.caseValue() + " " + at(each.target())));
  }

  private void addDynamic(String kind, InvokeDynamicInstruction dynamic) {
    parts.add(
        "%s %s.%s %s%s"
            .formatted(
                kind,
                dynamic.bootstrapMethod().owner().descriptorString(),
                dynamic.bootstrapMethod().methodName(),
                dynamic.name().stringValue(),
                dynamic.type().stringValue()));
    dynamic.bootstrapArgs().forEach(argument -> parts.add(text(argument)));
  }

  private static String text(ConstantDesc constant) {
    if (constant instanceof DirectMethodHandleDesc method) {
      String owner = method.owner().descriptorString();
      String type = owner.substring(1, owner.length() - 1);
      String target = method.methodName() + method.lookupDescriptor();
      return method.methodName().startsWith("lambda$")
          ? LAMBDA + type + " " + target
          : method.kind() + " " + type + "." + target;
    }
    return constant.getClass().getSimpleName() + " " + constant;
  }
}
