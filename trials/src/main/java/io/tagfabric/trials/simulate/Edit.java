package io.tagfabric.trials.simulate;

import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * An exact edit of one method of a class file.
 *
 * @param method all of this name are edited
 * @param kind what is done
 * @param callee name of the method called, for {@link Kind#ANSWER}, {@link Kind#LATE} and {@link
 *     Kind#FORGET}; names of the constants for {@link Kind#RETURN}
 * @param number which of these calls, constants or jumps, counted from 1; or which local variable
 * @param value what is there instead; 0 stands for null too
 */
record Edit(String method, Kind kind, String callee, int number, int value) {
  /** Local variables from here on keep what a late call takes; no method has so many. */
  private static final int FIRST_KEPT = 100;

  /** What is done to a method. */
  enum Kind {
    /** A call is not made; a number stands for its answer. */
    ANSWER,
    /** The method does nothing. */
    EMPTY,
    /** A number stands for a boolean or int argument. */
    ARGUMENT,
    /** A number stands for a constant of type long. */
    CONSTANT,
    /** A call without an answer is made only when the method returns, after all others. */
    LATE,
    /** A jump that depends on something does so no more: it is taken, or not. */
    JUMP,
    /** A boolean or int variable is 0 after a call. */
    FORGET,
    /** Where a method returns one constant of an enum, it returns another. */
    RETURN
  }

  static Edit answer(String method, String callee, int number, int value) {
    return new Edit(method, Kind.ANSWER, callee, number, value);
  }

  static Edit empty(String method) {
    return new Edit(method, Kind.EMPTY, "", 0, 0);
  }

  static Edit argument(String method, int variable, int value) {
    return new Edit(method, Kind.ARGUMENT, "", variable, value);
  }

  static Edit constant(String method, int number, int value) {
    return new Edit(method, Kind.CONSTANT, "", number, value);
  }

  /**
   * A call that comes after all others of the method.
   *
   * @param number of the call, which every return comes after
   */
  static Edit late(String method, String callee, int number) {
    return new Edit(method, Kind.LATE, callee, number, 0);
  }

  /**
   * A variable that a call makes forgotten.
   *
   * @param callee the first call of it
   * @param variable local variable, by its number in the class file
   */
  static Edit forget(String method, String callee, int variable) {
    return new Edit(method, Kind.FORGET, callee, 1, variable);
  }

  /** One constant of an enum in place of another that a method returns. */
  static Edit returns(String method, Enum<?> one, Enum<?> other) {
    return new Edit(method, Kind.RETURN, one.name() + " " + other.name(), 0, 0);
  }

  /**
   * A condition without effect.
   *
   * @param number of the conditional jump in the class file, counted from 1
   * @param value 1 if it is always taken, 0 if never; javac jumps over what stands behind an if
   */
  static Edit jump(String method, int number, int value) {
    return new Edit(method, Kind.JUMP, "", number, value);
  }

  /**
   * The class file with the edit.
   *
   * @throws IllegalStateException if there is no such method or call any more
   */
  byte[] apply(String className, byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, flags());
    Rewriter rewriter = new Rewriter(writer);
    reader.accept(rewriter, 0);
    if (rewriter.edits != 1) {
      throw new IllegalStateException(
          className + " has " + rewriter.edits + " places for " + this + ", not 1: adapt it");
    }
    return writer.toByteArray();
  }

  /** A local variable or a jump more needs frames that say so. */
  private int flags() {
    return kind == Kind.LATE || kind == Kind.RETURN
        ? ClassWriter.COMPUTE_FRAMES
        : ClassWriter.COMPUTE_MAXS;
  }

  private final class Rewriter extends ClassVisitor {
    private int edits;
    private int calls;
    private int constants;
    private int jumps;

    Rewriter(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      if (!name.equals(method) || (access & Opcodes.ACC_ABSTRACT) != 0) {
        return next;
      }
      if (kind == Kind.EMPTY) {
        edits++;
        writeEmpty(next, descriptor);
        return null;
      }
      return new MethodVisitor(Opcodes.ASM9, next) {
        private Runnable late = () -> {};

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String calledDescriptor, boolean itf) {
          if (kind == Kind.ANSWER && called.equals(callee) && ++calls == number) {
            edits++;
            answer(this, opcode, calledDescriptor);
          } else if (kind == Kind.LATE && called.equals(callee) && ++calls == number) {
            edits++;
            Type[] taken = taken(opcode, owner, calledDescriptor);
            keep(mv, taken);
            late =
                () -> {
                  bring(mv, taken);
                  mv.visitMethodInsn(opcode, owner, called, calledDescriptor, itf);
                };
          } else {
            super.visitMethodInsn(opcode, owner, called, calledDescriptor, itf);
            if (kind == Kind.FORGET && called.equals(callee) && ++calls == number) {
              edits++;
              super.visitInsn(Opcodes.ICONST_0);
              super.visitVarInsn(Opcodes.ISTORE, value);
            }
          }
        }

        @Override
        public void visitInsn(int opcode) {
          if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            late.run();
          }
          if (opcode == Opcodes.ARETURN && kind == Kind.RETURN) {
            edits++;
            another(mv, Type.getReturnType(descriptor));
          }
          super.visitInsn(opcode);
        }

        @Override
        public void visitLdcInsn(Object constant) {
          if (kind == Kind.CONSTANT && constant instanceof Long && ++constants == number) {
            edits++;
            super.visitLdcInsn((long) value);
          } else {
            super.visitLdcInsn(constant);
          }
        }

        @Override
        public void visitJumpInsn(int opcode, Label to) {
          if (kind == Kind.JUMP && isConditional(opcode) && ++jumps == number) {
            edits++;
            visitInsn(comparesTwo(opcode) ? Opcodes.POP2 : Opcodes.POP);
            // The verifier wants code that could go on.
            visitInsn(value == 0 ? Opcodes.ICONST_0 : Opcodes.ICONST_1);
            super.visitJumpInsn(Opcodes.IFNE, to);
          } else {
            super.visitJumpInsn(opcode, to);
          }
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
          if (kind == Kind.ARGUMENT && opcode == Opcodes.ILOAD && variable == number) {
            edits++;
            visitInsn(value == 0 ? Opcodes.ICONST_0 : Opcodes.ICONST_1);
          } else {
            super.visitVarInsn(opcode, variable);
          }
        }
      };
    }

    private static boolean isConditional(int opcode) {
      return opcode != Opcodes.GOTO && opcode != Opcodes.JSR;
    }

    private static boolean comparesTwo(int opcode) {
      return opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE;
    }

    /** Puts the other constant of an enum in the place of the one, if that is on the stack. */
    private void another(MethodVisitor to, Type type) {
      Label same = new Label();
      int between = callee.indexOf(' ');
      String name = type.getInternalName();
      to.visitInsn(Opcodes.DUP);
      to.visitFieldInsn(
          Opcodes.GETSTATIC, name, callee.substring(0, between), type.getDescriptor());
      to.visitJumpInsn(Opcodes.IF_ACMPNE, same);
      to.visitInsn(Opcodes.POP);
      to.visitFieldInsn(
          Opcodes.GETSTATIC, name, callee.substring(between + 1), type.getDescriptor());
      to.visitLabel(same);
    }

    private void writeEmpty(MethodVisitor to, String descriptor) {
      if (Type.getReturnType(descriptor).getSort() != Type.VOID) {
        throw new IllegalStateException(method + " returns something, it cannot be empty");
      }
      to.visitCode();
      to.visitInsn(Opcodes.RETURN);
      to.visitMaxs(0, 0);
      to.visitEnd();
    }

    /** What a call takes from the stack, from the object to the last argument. */
    private Type[] taken(int opcode, String owner, String descriptor) {
      if (opcode == Opcodes.INVOKESTATIC || Type.getReturnType(descriptor).getSort() != Type.VOID) {
        throw new IllegalStateException(callee + descriptor + " cannot come late");
      }
      Type[] arguments = Type.getArgumentTypes(descriptor);
      Type[] taken = new Type[arguments.length + 1];
      taken[0] = Type.getObjectType(owner);
      System.arraycopy(arguments, 0, taken, 1, arguments.length);
      return taken;
    }

    private static void keep(MethodVisitor to, Type[] taken) {
      for (int i = taken.length - 1; i >= 0; i--) {
        to.visitVarInsn(taken[i].getOpcode(Opcodes.ISTORE), FIRST_KEPT + 2 * i);
      }
    }

    private static void bring(MethodVisitor to, Type[] kept) {
      for (int i = 0; i < kept.length; i++) {
        to.visitVarInsn(kept[i].getOpcode(Opcodes.ILOAD), FIRST_KEPT + 2 * i);
      }
    }

    private void answerNull(MethodVisitor to, String descriptor) {
      if (value != 0) {
        throw new IllegalStateException(callee + descriptor + " can only answer with null, by 0");
      }
      to.visitInsn(Opcodes.ACONST_NULL);
    }

    /** Takes the arguments and the object of a call from the stack, and puts an answer there. */
    private void answer(MethodVisitor to, int opcode, String descriptor) {
      Type[] arguments = Type.getArgumentTypes(descriptor);
      for (int i = arguments.length - 1; i >= 0; i--) {
        to.visitInsn(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
      }
      if (opcode != Opcodes.INVOKESTATIC) {
        to.visitInsn(Opcodes.POP);
      }
      switch (Type.getReturnType(descriptor).getSort()) {
        case Type.VOID -> {}
        case Type.LONG -> to.visitLdcInsn((long) value);
        case Type.BOOLEAN, Type.INT -> to.visitLdcInsn(value);
        case Type.OBJECT -> answerNull(to, descriptor);
        default -> throw new IllegalStateException(callee + descriptor + " answers with no number");
      }
    }
  }
}
