package io.tagfabric.simulation.isolate;

import io.tagfabric.simulation.isolate.ForeignCall.Kind;
import io.tagfabric.simulation.isolate.Replacements.Replacement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * Turns the calls of one class of a program to {@link Calls}.
 *
 * <p>No instruction moves and no branch is added, so the frames of the class stay right. A method
 * reference to a call that changes gets a bridge: a static method of the same class that makes the
 * call.
 */
final class CallRewriter extends ClassVisitor {
  private static final int API = Opcodes.ASM9;
  private static final String THREAD_RANDOM = "java/util/concurrent/ThreadLocalRandom";
  private static final String RANDOM = "java/util/Random";
  private static final String SECURE_RANDOM = "java/security/SecureRandom";
  private static final String RANK_SECURE_RANDOM = Type.getInternalName(RankSecureRandom.class);
  private static final String CONSTRUCTOR = "<init>";
  private static final String BRIDGE = "tagfabric$call$";

  /** A call of a method reference and the bridge that makes it. */
  private record Bridge(Handle call, Handle handle) {}

  private final Hierarchy hierarchy;
  private final Map<String, Bridge> bridges = new LinkedHashMap<>();
  private String name;
  private String superName;
  private int bridgeCount;
  private boolean isInterface;

  private CallRewriter(ClassVisitor next, Hierarchy hierarchy) {
    super(API, next);
    this.hierarchy = hierarchy;
  }

  /**
   * The class file with its calls turned.
   *
   * @throws IllegalArgumentException if the class file is of a later Java than ASM reads
   */
  static byte[] rewrite(byte[] classFile, Hierarchy hierarchy) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    ClassVisitor types =
        new ClassRemapper(API, writer, new SimpleRemapper(API, Map.of(THREAD_RANDOM, RANDOM))) {};
    reader.accept(new CallRewriter(types, hierarchy), 0);
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version, int access, String itself, String signature, String above, String[] interfaces) {
    name = itself;
    superName = above;
    isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
    super.visit(version, access, itself, signature, above, interfaces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String method, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    return next == null ? null : new Body(next, name.replace('/', '.') + "." + method);
  }

  @Override
  public void visitEnd() {
    while (!bridges.isEmpty()) {
      List<Bridge> left = new ArrayList<>(bridges.values());
      bridges.clear();
      left.forEach(this::writeBridge);
    }
    super.visitEnd();
  }

  private void writeBridge(Bridge bridge) {
    int access = Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
    access |= isInterface ? Opcodes.ACC_PRIVATE : 0;
    Handle handle = bridge.handle();
    Handle call = bridge.call();
    MethodVisitor body = visitMethod(access, handle.getName(), handle.getDesc(), null, null);
    body.visitCode();
    boolean creates = call.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    if (creates) {
      body.visitTypeInsn(Opcodes.NEW, call.getOwner());
      body.visitInsn(Opcodes.DUP);
    }
    int local = 0;
    for (Type argument : Type.getArgumentTypes(handle.getDesc())) {
      body.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), local);
      local += argument.getSize();
    }
    body.visitMethodInsn(
        opcode(call.getTag()), call.getOwner(), call.getName(), call.getDesc(), call.isInterface());
    body.visitInsn(Type.getReturnType(handle.getDesc()).getOpcode(Opcodes.IRETURN));
    body.visitMaxs(0, 0);
    body.visitEnd();
  }

  private static int opcode(int tag) {
    return switch (tag) {
      case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
      case Opcodes.H_NEWINVOKESPECIAL, Opcodes.H_INVOKESPECIAL -> Opcodes.INVOKESPECIAL;
      case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
      default -> Opcodes.INVOKEVIRTUAL;
    };
  }

  /** What to put in the place of a handle; the handle itself, if its call stays as it is. */
  private Handle turned(Handle handle) {
    int tag = handle.getTag();
    boolean isCall =
        tag == Opcodes.H_INVOKESTATIC
            || tag == Opcodes.H_INVOKEVIRTUAL
            || tag == Opcodes.H_INVOKEINTERFACE
            || tag == Opcodes.H_NEWINVOKESPECIAL;
    if (!isCall || !turns(opcode(tag), handle.getOwner(), handle.getName(), handle.getDesc())) {
      return handle;
    }
    String key = handle.toString();
    Bridge known = bridges.get(key);
    if (known == null) {
      Handle bridge =
          new Handle(
              Opcodes.H_INVOKESTATIC,
              name,
              BRIDGE + bridgeCount++,
              bridgeDescriptor(handle),
              isInterface);
      known = new Bridge(handle, bridge);
      bridges.put(key, known);
    }
    return known.handle();
  }

  private static String bridgeDescriptor(Handle call) {
    Type[] arguments = Type.getArgumentTypes(call.getDesc());
    return switch (call.getTag()) {
      case Opcodes.H_INVOKESTATIC -> call.getDesc();
      case Opcodes.H_NEWINVOKESPECIAL ->
          Type.getMethodDescriptor(Type.getObjectType(call.getOwner()), arguments);
      default -> {
        List<Type> all = new ArrayList<>(List.of(arguments));
        all.add(0, Type.getObjectType(call.getOwner()));
        yield Type.getMethodDescriptor(
            Type.getReturnType(call.getDesc()), all.toArray(new Type[0]));
      }
    };
  }

  private boolean turns(int opcode, String owner, String method, String descriptor) {
    return replacement(opcode, owner, method, descriptor).isPresent()
        || CallArguments.find(hierarchy, owner, method, descriptor).isPresent()
        || isSecureRandom(owner, method)
        || ForeignCalls.kind(hierarchy, owner, method).isPresent();
  }

  private Optional<Replacement> replacement(
      int opcode, String owner, String method, String descriptor) {
    return opcode == Opcodes.INVOKESPECIAL
        ? Optional.empty()
        : Replacements.find(hierarchy, opcode == Opcodes.INVOKESTATIC, owner, method, descriptor);
  }

  /** In a class that extends it the call may be that of the constructor above, which stays. */
  private boolean isSecureRandom(String owner, String method) {
    return owner.equals(SECURE_RANDOM)
        && method.equals(CONSTRUCTOR)
        && !SECURE_RANDOM.equals(superName);
  }

  private Object turned(Object constant) {
    if (constant instanceof Handle handle) {
      return turned(handle);
    }
    if (constant instanceof ConstantDynamic dynamic) {
      Object[] arguments = new Object[dynamic.getBootstrapMethodArgumentCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = turned(dynamic.getBootstrapMethodArgument(i));
      }
      return new ConstantDynamic(
          dynamic.getName(), dynamic.getDescriptor(), dynamic.getBootstrapMethod(), arguments);
    }
    return constant;
  }

  /** Turns the instructions of one method. */
  private final class Body extends MethodVisitor {
    private final String caller;

    Body(MethodVisitor next, String caller) {
      super(API, next);
      this.caller = caller;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String descriptor, boolean ofInterface) {
      Optional<Replacement> replacement = replacement(opcode, owner, method, descriptor);
      if (replacement.isPresent()) {
        call(replacement.get().name(), replacement.get().descriptor());
        return;
      }
      if (isSecureRandom(owner, method)) {
        call("seed", "()J");
        super.visitMethodInsn(
            opcode, RANK_SECURE_RANDOM, method, descriptor.replace(")", "J)"), false);
        return;
      }
      Optional<CallArguments> arguments = CallArguments.find(hierarchy, owner, method, descriptor);
      if (arguments.isPresent()) {
        call(arguments.get().source(), arguments.get().sourceDescriptor());
        if (arguments.get().isBelowLast()) {
          super.visitInsn(Opcodes.SWAP);
        }
        super.visitMethodInsn(opcode, owner, method, arguments.get().descriptor(), ofInterface);
        return;
      }
      ForeignCalls.kind(hierarchy, owner, method).ifPresent(kind -> announce(kind, owner, method));
      super.visitMethodInsn(opcode, owner, method, descriptor, ofInterface);
    }

    private void announce(Kind kind, String owner, String method) {
      super.visitLdcInsn(kind.name());
      super.visitLdcInsn(owner.replace('/', '.') + "." + method);
      super.visitLdcInsn(caller);
      call("foreign", "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V");
    }

    private void call(String method, String descriptor) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, Replacements.CALLS, method, descriptor, false);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      boolean secure =
          opcode == Opcodes.NEW && type.equals(SECURE_RANDOM) && !SECURE_RANDOM.equals(superName);
      super.visitTypeInsn(opcode, secure ? RANK_SECURE_RANDOM : type);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
      boolean isStream =
          opcode == Opcodes.GETSTATIC
              && owner.equals("java/lang/System")
              && (field.equals("out") || field.equals("err") || field.equals("in"));
      if (isStream) {
        call(field, "()" + descriptor);
      } else {
        super.visitFieldInsn(opcode, owner, field, descriptor);
      }
    }

    @Override
    public void visitInvokeDynamicInsn(
        String method, String descriptor, Handle bootstrap, Object... arguments) {
      Object[] all = arguments.clone();
      for (int i = 0; i < all.length; i++) {
        all[i] = turned(all[i]);
      }
      super.visitInvokeDynamicInsn(method, descriptor, bootstrap, all);
    }

    @Override
    public void visitLdcInsn(Object value) {
      super.visitLdcInsn(turned(value));
    }
  }
}
