package io.tagfabric.explore;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * What the methods of a compiled class do to memory that others see, line by line in the order of
 * the code: accesses to volatile fields ({@code get waiters}), calls ({@code LockSupport.unpark},
 * {@code buffer.putIntOrdered 1024}; a number, a field or a method says where), and that a method
 * is synchronized. Lambdas stand where they are made. Code that only exceptions reach is left out.
 */
public final class CodeListing {
  /** Calls to these say nothing about memory that is shared. */
  private static final Set<String> SILENT =
      Set.of(
          "java/lang/Math",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Thread",
          "java/lang/Object",
          "java/util/Objects",
          "org/agrona/BitUtil",
          "org/agrona/concurrent/ringbuffer/RecordDescriptor");

  private final ClassNode type;
  private final Set<String> volatiles = new HashSet<>();

  private CodeListing(ClassNode type) {
    this.type = type;
    for (FieldNode field : type.fields) {
      if ((field.access & Opcodes.ACC_VOLATILE) != 0) {
        volatiles.add(field.name);
      }
    }
  }

  /** The class file of a class. */
  public static ClassNode read(Class<?> type) {
    String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
    ClassNode node = new ClassNode();
    try (InputStream code = type.getResourceAsStream(file)) {
      new ClassReader(code).accept(node, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return node;
  }

  /**
   * The listings of a class by {@code Type.method}; methods of one name are one listing, in the
   * order of the file.
   */
  public static Map<String, List<String>> of(ClassNode type) {
    CodeListing listing = new CodeListing(type);
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (MethodNode method : type.methods) {
      if ((method.access & (Opcodes.ACC_SYNTHETIC | Opcodes.ACC_ABSTRACT)) == 0) {
        all.computeIfAbsent(simple(type.name) + "." + method.name, name -> new ArrayList<>())
            .addAll(listing.list(method));
      }
    }
    return all;
  }

  private static String simple(String internalName) {
    return internalName.substring(internalName.lastIndexOf('/') + 1).replace('$', '.');
  }

  private List<String> list(MethodNode method) {
    List<String> lines = new ArrayList<>();
    if ((method.access & Opcodes.ACC_SYNCHRONIZED) != 0) {
      lines.add("synchronized");
    }
    Operands operands;
    try {
      operands = new Operands(type.name, method);
    } catch (AnalyzerException e) {
      throw new IllegalArgumentException(type.name + "." + method.name, e);
    }
    BitSet reached = withoutExceptions(method);
    for (int i = reached.nextSetBit(0); i >= 0; i = reached.nextSetBit(i + 1)) {
      AbstractInsnNode code = method.instructions.get(i);
      if (code instanceof FieldInsnNode field) {
        if (field.owner.equals(type.name) && volatiles.contains(field.name)) {
          boolean reads =
              field.getOpcode() == Opcodes.GETFIELD || field.getOpcode() == Opcodes.GETSTATIC;
          lines.add((reads ? "get " : "put ") + field.name);
        }
      } else if (code instanceof MethodInsnNode call) {
        if (!SILENT.contains(call.owner) && !call.name.equals("<init>")) {
          lines.add(line(call, operands));
        }
      } else if (code instanceof InvokeDynamicInsnNode lambda) {
        addLambda(lambda, lines);
      }
    }
    return lines;
  }

  private void addLambda(InvokeDynamicInsnNode code, List<String> lines) {
    for (Object argument : code.bsmArgs) {
      if (argument instanceof Handle target && target.getOwner().equals(type.name)) {
        for (MethodNode method : type.methods) {
          if (method.name.equals(target.getName()) && method.desc.equals(target.getDesc())) {
            if ((method.access & Opcodes.ACC_SYNTHETIC) != 0) {
              lines.addAll(list(method));
            } else {
              lines.add(simple(type.name) + "." + method.name);
            }
          }
        }
      }
    }
  }

  static boolean isCall(MethodInsnNode call, String line) {
    return call.getOpcode() == Opcodes.INVOKESTATIC
        && line.equals(simple(call.owner) + "." + call.name);
  }

  private static String line(MethodInsnNode call, Operands operands) {
    if (call.getOpcode() == Opcodes.INVOKESTATIC) {
      return simple(call.owner) + "." + call.name;
    }
    String receiver = operands.receiver(call);
    String line = (receiver.isEmpty() ? simple(call.owner) : receiver) + "." + call.name;
    boolean isMemory = call.owner.startsWith("org/agrona/") && call.owner.endsWith("Buffer");
    return isMemory && call.desc.startsWith("(I")
        ? line + " " + operands.firstArgument(call)
        : line;
  }

  /** Indices of the instructions that are reached when nothing is thrown. */
  private static BitSet withoutExceptions(MethodNode method) {
    BitSet reached = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(List.of(0));
    while (!open.isEmpty()) {
      int at = open.pop();
      if (at >= method.instructions.size() || reached.get(at)) {
        continue;
      }
      reached.set(at);
      AbstractInsnNode code = method.instructions.get(at);
      int opcode = code.getOpcode();
      boolean goesOn =
          opcode != Opcodes.GOTO
              && opcode != Opcodes.ATHROW
              && !(opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN)
              && !(code instanceof TableSwitchInsnNode)
              && !(code instanceof LookupSwitchInsnNode);
      if (code instanceof JumpInsnNode jump) {
        open.push(method.instructions.indexOf(jump.label));
      } else if (code instanceof TableSwitchInsnNode table) {
        table.labels.forEach(label -> open.push(method.instructions.indexOf(label)));
        open.push(method.instructions.indexOf(table.dflt));
      } else if (code instanceof LookupSwitchInsnNode lookup) {
        lookup.labels.forEach(label -> open.push(method.instructions.indexOf(label)));
        open.push(method.instructions.indexOf(lookup.dflt));
      }
      if (goesOn) {
        open.push(at + 1);
      }
    }
    return reached;
  }
}
