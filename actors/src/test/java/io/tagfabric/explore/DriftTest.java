package io.tagfabric.explore;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** A class, what its model says of it, and what was changed in it. */
class DriftTest {
  private static final int WORD_AT = 1024;
  private static final String METHOD = "DriftTest.Bell.announce";
  private static final List<String> MODEL =
      List.of(
          "put announced",
          "buffer.putIntOrdered 1024",
          "VarHandle.fullFence",
          "DriftTest.Bell.wordOf",
          "get waiters",
          "hasWork.getAsBoolean",
          "buffer.getIntVolatile wordOf",
          "DriftTest.Bell.withdraw");

  /** Calls everything that a listing shows. */
  static final class Bell {
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocate(2 * WORD_AT));
    private final BooleanSupplier hasWork;
    private volatile boolean announced;
    private volatile int waiters;
    private int notShared;

    Bell(BooleanSupplier hasWork) {
      this.hasWork = hasWork;
    }

    boolean announce() {
      announced = true;
      notShared++;
      try {
        buffer.putIntOrdered(WORD_AT, 1);
        VarHandle.fullFence();
        int index = wordOf(2);
        if (waiters > Math.max(0, notShared)
            || hasWork.getAsBoolean()
            || buffer.getIntVolatile(index) == 1) {
          withdraw();
          return false;
        }
        return true;
      } catch (IllegalStateException cut) {
        withdraw();
        return false;
      }
    }

    private static int wordOf(int member) {
      return member * 128;
    }

    private void withdraw() {
      if (announced) {
        buffer.putIntVolatile(WORD_AT, 0);
      }
    }
  }

  private final ClassNode type = CodeListing.read(Bell.class);

  private List<String> drift() {
    return Drift.between(Map.of(METHOD, MODEL), List.of(type));
  }

  private InsnList announce() {
    return type.methods.stream()
        .filter(method -> method.name.equals("announce"))
        .findFirst()
        .orElseThrow()
        .instructions;
  }

  private AbstractInsnNode find(Predicate<AbstractInsnNode> wanted) {
    return Stream.of(announce().toArray()).filter(wanted).findFirst().orElseThrow();
  }

  private static Predicate<AbstractInsnNode> call(String name) {
    return code -> code instanceof MethodInsnNode call && call.name.equals(name);
  }

  @Test
  void shouldListAccessesAndCallsInTheOrderOfTheCode() {
    assertThat(CodeListing.of(type))
        .containsEntry(METHOD, MODEL)
        .containsEntry(
            "DriftTest.Bell.withdraw", List.of("get announced", "buffer.putIntVolatile 1024"))
        .containsEntry("DriftTest.Bell.wordOf", List.of());
    assertThat(drift()).isEmpty();
  }

  @Test
  void shouldNoticeThatAFenceIsGone() {
    announce().remove(find(call("fullFence")));

    assertThat(drift())
        .singleElement(as(STRING))
        .startsWith(METHOD + " is in the model [put announced,")
        .endsWith(
            "buffer.putIntOrdered 1024, DriftTest.Bell.wordOf, get waiters,"
                + " hasWork.getAsBoolean, buffer.getIntVolatile wordOf, DriftTest.Bell.withdraw]");
  }

  @Test
  void shouldNoticeThatAFenceHasMoved() {
    AbstractInsnNode fence = find(call("fullFence"));
    announce().remove(fence);
    announce().insertBefore(announce().getFirst(), fence);

    assertThat(drift()).hasSize(1);
  }

  @Test
  void shouldNoticeThatAStoreIsWeaker() {
    ((MethodInsnNode) find(call("putIntOrdered"))).name = "putInt";

    assertThat(drift()).hasSize(1);
  }

  @Test
  void shouldNoticeThatAnotherWordIsWritten() {
    ((IntInsnNode) find(code -> code instanceof IntInsnNode number && number.operand == WORD_AT))
            .operand =
        WORD_AT + 4;

    assertThat(drift()).hasSize(1);
  }

  @Test
  void shouldNoticeThatAFieldIsNoLongerVolatile() {
    type.fields.stream()
        .filter(field -> field.name.equals("waiters"))
        .forEach(field -> field.access &= ~Opcodes.ACC_VOLATILE);

    assertThat(drift()).hasSize(1);
  }

  @Test
  void shouldNoticeThatTheMethodIsGone() {
    type.methods.removeIf(method -> method.name.equals("announce"));

    assertThat(drift()).hasSize(1);
  }

  @Test
  void shouldTakeOutEachCallAndPutItBack() {
    Map<String, List<String>> model = Map.of(METHOD, MODEL);

    assertThat(Drift.unnoticed(model, List.of(type), "VarHandle.fullFence")).isEmpty();
    assertThat(Drift.unnoticed(Map.of(), List.of(type), "VarHandle.fullFence"))
        .containsExactly("io/tagfabric/explore/DriftTest$Bell.announce");
    assertThat(Drift.unnoticed(model, List.of(type), "VarHandle.releaseFence"))
        .containsExactly("there is no VarHandle.releaseFence");
    assertThat(drift()).isEmpty();
  }
}
