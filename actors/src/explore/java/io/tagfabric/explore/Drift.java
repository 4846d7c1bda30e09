package io.tagfabric.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Compares what a model says of methods with what the compiled classes do. */
public final class Drift {
  private Drift() {}

  /**
   * Takes each call of a static method without arguments out of the classes, one at a time, and
   * returns in which methods the comparison does not see it; the last line says if there was none.
   *
   * @param line the call as in a listing, {@code VarHandle.fullFence}
   */
  public static List<String> unnoticed(
      Map<String, List<String>> model, List<ClassNode> classes, String line) {
    List<String> unnoticed = new ArrayList<>();
    int taken = 0;
    for (ClassNode type : classes) {
      for (MethodNode method : type.methods) {
        for (AbstractInsnNode code : method.instructions.toArray()) {
          if (code instanceof MethodInsnNode call && CodeListing.isCall(call, line)) {
            AbstractInsnNode next = call.getNext();
            method.instructions.remove(call);
            if (between(model, classes).isEmpty()) {
              unnoticed.add(type.name + "." + method.name);
            }
            method.instructions.insertBefore(next, call);
            taken++;
          }
        }
      }
    }
    if (taken == 0) {
      unnoticed.add("there is no " + line);
    }
    return unnoticed;
  }

  /**
   * What differs, a line for each method; empty if nothing does.
   *
   * @param model listings of modelled methods by {@code Type.method}
   * @param classes that have these methods
   */
  public static List<String> between(Map<String, List<String>> model, List<ClassNode> classes) {
    Map<String, List<String>> code = new TreeMap<>();
    classes.forEach(type -> code.putAll(CodeListing.of(type)));
    List<String> differences = new ArrayList<>();
    model.forEach(
        (method, modelled) -> {
          List<String> real = code.get(method);
          if (!modelled.equals(real)) {
            differences.add(
                method + " is in the model " + modelled + " and in the class file " + real);
          }
        });
    return differences;
  }
}
