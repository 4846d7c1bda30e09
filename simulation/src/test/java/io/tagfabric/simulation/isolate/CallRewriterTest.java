package io.tagfabric.simulation.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.simulation.isolate.Replacements.Replacement;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Every call that {@link Calls} takes the place of, in class files that are made for it. */
class CallRewriterTest {
  private static final String NAME = "made/Caller";
  private static final int JAVA_25 = 69;

  private final Hierarchy hierarchy =
      new Hierarchy(CallRewriterTest.class.getClassLoader(), notUsed -> null);

  /** Defines a class file, which the JVM verifies when it is linked. */
  private static final class Definer extends ClassLoader {
    Definer() {
      super(CallRewriterTest.class.getClassLoader());
    }

    void verify(byte[] classFile) throws ReflectiveOperationException {
      Class<?> type = defineClass(NAME.replace('/', '.'), classFile, 0, classFile.length);
      Class.forName(type.getName(), true, this);
    }
  }

  static Stream<Arguments> calls() {
    List<Arguments> all = new ArrayList<>();
    for (Map.Entry<String, List<Replacement>> each : Replacements.all().entrySet()) {
      String call = each.getKey();
      int open = call.indexOf('(');
      for (Replacement replacement : each.getValue()) {
        all.add(Arguments.of(replacement, call.substring(0, open), call.substring(open)));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldTurnTheCall(Replacement replacement, String name, String descriptor)
      throws ReflectiveOperationException {
    byte[] turned =
        CallRewriter.rewrite(caller(replacement, name, descriptor, Opcodes.V17), hierarchy);

    assertThat(callsIn(turned, "direct"))
        .containsExactly(Replacements.CALLS + "." + replacement.name() + replacement.descriptor());
    new Definer().verify(turned);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldTurnTheMethodReference(Replacement replacement, String name, String descriptor) {
    byte[] turned =
        CallRewriter.rewrite(caller(replacement, name, descriptor, Opcodes.V17), hierarchy);

    List<String> referred = callsIn(turned, "referred");
    assertThat(referred).hasSize(1).allMatch(call -> call.startsWith(NAME + ".tagfabric$call$0"));
    assertThat(callsIn(turned, "tagfabric$call$0"))
        .containsExactly(Replacements.CALLS + "." + replacement.name() + replacement.descriptor());
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldReadClassFilesOfJava25(Replacement replacement, String name, String descriptor) {
    byte[] turned = CallRewriter.rewrite(caller(replacement, name, descriptor, JAVA_25), hierarchy);

    assertThat(turned[7]).isEqualTo((byte) JAVA_25);
    assertThat(callsIn(turned, "direct"))
        .containsExactly(Replacements.CALLS + "." + replacement.name() + replacement.descriptor());
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldNameACallThatTheJdkHas(Replacement replacement, String name, String descriptor)
      throws ReflectiveOperationException {
    Class<?> owner = Class.forName(replacement.owner().replace('/', '.'));
    boolean isOfJava19 = descriptor.equals("(Ljava/time/Duration;)V");
    boolean found =
        Stream.of(owner.getDeclaredMethods())
            .filter(method -> method.getName().equals(name))
            .anyMatch(method -> Type.getMethodDescriptor(method).equals(descriptor));

    assertThat(found || (isOfJava19 && Runtime.version().feature() < 19)).isTrue();
  }

  @Test
  void shouldLeaveACallOfAMethodOfTheSameName() {
    Replacement none = new Replacement(NAME, true, "nanoTime", "()J");
    byte[] turned = CallRewriter.rewrite(caller(none, "nanoTime", "()J", Opcodes.V17), hierarchy);

    assertThat(callsIn(turned, "direct")).containsExactly(NAME + ".nanoTime()J");
  }

  /** A class with a method that makes the call, and another that refers to it. */
  private static byte[] caller(
      Replacement replacement, String name, String descriptor, int version) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(version, Opcodes.ACC_PUBLIC, NAME, null, "java/lang/Object", null);
    String owner = replacement.owner();
    boolean isInterface = isInterface(owner);
    Type made = Type.getReturnType(descriptor);
    List<Type> arguments = new ArrayList<>(List.of(Type.getArgumentTypes(descriptor)));
    if (!replacement.isStatic()) {
      arguments.add(0, Type.getObjectType(owner));
    }
    MethodVisitor direct =
        writer.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC,
            "direct",
            Type.getMethodDescriptor(made, arguments.toArray(new Type[0])),
            null,
            null);
    direct.visitCode();
    int local = 0;
    for (Type argument : arguments) {
      direct.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), local);
      local += argument.getSize();
    }
    int opcode =
        replacement.isStatic()
            ? Opcodes.INVOKESTATIC
            : isInterface ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
    direct.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    direct.visitInsn(made.getOpcode(Opcodes.IRETURN));
    direct.visitMaxs(0, 0);
    direct.visitEnd();
    int tag =
        replacement.isStatic()
            ? Opcodes.H_INVOKESTATIC
            : isInterface ? Opcodes.H_INVOKEINTERFACE : Opcodes.H_INVOKEVIRTUAL;
    refer(writer, new Handle(tag, owner, name, descriptor, isInterface));
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void refer(ClassWriter writer, Handle handle) {
    MethodVisitor referred =
        writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "referred", "()V", null, null);
    Handle bootstrap =
        new Handle(
            Opcodes.H_INVOKESTATIC,
            Type.getInternalName(CallRewriterTest.class),
            "bootstrap",
            MethodType.methodType(
                    CallSite.class,
                    MethodHandles.Lookup.class,
                    String.class,
                    MethodType.class,
                    MethodHandle.class)
                .toMethodDescriptorString(),
            false);
    referred.visitCode();
    referred.visitInvokeDynamicInsn("referred", "()V", bootstrap, handle);
    referred.visitInsn(Opcodes.RETURN);
    referred.visitMaxs(0, 0);
    referred.visitEnd();
  }

  /** Named by the class files above, which nobody runs. */
  static CallSite bootstrap(
      MethodHandles.Lookup caller, String name, MethodType type, MethodHandle target) {
    return new ConstantCallSite(target);
  }

  private static boolean isInterface(String owner) {
    try {
      return Class.forName(owner.replace('/', '.')).isInterface();
    } catch (ClassNotFoundException ofTheTest) {
      return false;
    }
  }

  /** The calls, and the targets of method references, of one method. */
  private static List<String> callsIn(byte[] classFile, String method) {
    List<String> calls = new ArrayList<>();
    ClassVisitor reader =
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            return name.equals(method) ? new CallReader(calls) : null;
          }
        };
    new ClassReader(classFile).accept(reader, 0);
    return calls;
  }

  private static final class CallReader extends MethodVisitor {
    private final List<String> calls;

    CallReader(List<String> calls) {
      super(Opcodes.ASM9);
      this.calls = calls;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      calls.add(owner + "." + name + descriptor);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      Handle handle = (Handle) arguments[0];
      calls.add(handle.getOwner() + "." + handle.getName() + handle.getDesc());
    }
  }
}
