package io.tagfabric.explore;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/** Where the operands of a method's calls come from: numbers, fields, methods, parameters. */
final class Operands {
  private final MethodNode method;
  private final Frame<SourceValue>[] frames;

  Operands(String owner, MethodNode method) throws AnalyzerException {
    this.method = method;
    frames = new Analyzer<>(new SourceInterpreter()).analyze(owner, method);
  }

  /** What a call is made on; empty for this and for what has no name. */
  String receiver(MethodInsnNode call) {
    return name(call, Type.getArgumentTypes(call.desc).length, "");
  }

  /** The first argument of a call. */
  String firstArgument(MethodInsnNode call) {
    return name(call, Type.getArgumentTypes(call.desc).length - 1, "computed");
  }

  private String name(AbstractInsnNode at, int fromTop, String unknown) {
    Frame<SourceValue> frame = frames[method.instructions.indexOf(at)];
    return name(frame.getStack(frame.getStackSize() - 1 - fromTop), unknown);
  }

  private String name(SourceValue value, String unknown) {
    if (value.insns.size() != 1) {
      return unknown;
    }
    AbstractInsnNode source = value.insns.iterator().next();
    int opcode = source.getOpcode();
    if (source instanceof FieldInsnNode field) {
      return field.name;
    } else if (source instanceof MethodInsnNode call) {
      return call.name;
    } else if (source instanceof IntInsnNode number) {
      return String.valueOf(number.operand);
    } else if (source instanceof LdcInsnNode constant) {
      return String.valueOf(constant.cst);
    } else if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
      return String.valueOf(opcode - Opcodes.ICONST_0);
    } else if (opcode == Opcodes.IADD) {
      return name(source, 1, unknown) + "+" + name(source, 0, unknown);
    } else if (source instanceof VarInsnNode variable) {
      return opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE
          ? name(source, 0, unknown)
          : ofVariable(variable, unknown);
    }
    return unknown;
  }

  private String ofVariable(VarInsnNode load, String unknown) {
    SourceValue value = frames[method.instructions.indexOf(load)].getLocal(load.var);
    if (!value.insns.isEmpty()) {
      return name(value, unknown);
    }
    for (LocalVariableNode variable : method.localVariables) {
      if (variable.index == load.var && !variable.name.equals("this")) {
        return variable.name;
      }
    }
    return "";
  }
}
