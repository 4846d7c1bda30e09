package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tagfabric.complete.CounterModel.Part;
import io.tagfabric.complete.CounterModel.Scene;
import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.tree.ClassNode;

class CounterModelTest {
  private static final int MOST_STATES = 3_000_000;
  private static final Scene BLOCKED = new Scene(2, 2, Part.BLOCKS);
  private static final Scene SET = new Scene(0, 2, Part.SETS, Part.BLOCKS);
  private static final Scene AWAITED = new Scene(2, 2, Part.AWAITS);
  private static final Scene FAILED = new Scene(1, 2, Part.FAILS, Part.BLOCKS, Part.AWAITS);
  private static final Scene DEFERRED = new Scene(2, 2, Part.DEFERS);
  private static final Scene CANCELLED = new Scene(1, 1, Part.DEFERS, Part.CANCELS);
  private static final Scene TAKEN_BACK = new Scene(1, 2, Part.DEFERS, Part.CANCELS);
  private static final Scene JUMPING = new Scene(1, 1, Part.DEFERS, Part.JUMPS);
  private static final Scene CLOSED = new Scene(0, 2, Part.BLOCKS, Part.AWAITS, Part.CLOSES);
  private static final Scene BOUND = new Scene(0, 1, Part.AWAITS, Part.CLOSES, Part.BINDS);
  private static final List<Scene> SCENES =
      List.of(
          BLOCKED,
          SET,
          AWAITED,
          FAILED,
          DEFERRED,
          CANCELLED,
          TAKEN_BACK,
          JUMPING,
          CLOSED,
          new Scene(1, 1, Part.DEFERS, Part.CLOSES),
          BOUND,
          new Scene(1, 1, Part.AWAITS, Part.DEFERS));

  private static Exploration explore(Mutant mutant, Scene scene) {
    return Explorer.explore(new CounterModel(mutant, scene).model(), MOST_STATES);
  }

  static List<Scene> scenes() {
    return SCENES;
  }

  @ParameterizedTest
  @MethodSource("scenes")
  void shouldMissNoWait(Scene scene) {
    Exploration found = explore(Mutant.none(), scene);

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  @Test
  @Tag("exhaustive")
  void shouldMissNoWaitInACrowd() {
    for (Scene scene :
        List.of(
            new Scene(2, 2, Part.BLOCKS, Part.DEFERS),
            new Scene(2, 2, Part.AWAITS, Part.DEFERS, Part.CANCELS),
            new Scene(1, 1, Part.FAILS, Part.BLOCKS, Part.AWAITS, Part.CLOSES))) {
      Exploration found = explore(Mutant.none(), scene);

      assertThat(found.isSound()).as("%s: %s", scene, found).isTrue();
    }
  }

  static Stream<Arguments> mutants() {
    String counts = "waiting.getAndIncrement";
    return Stream.of(
        // A thread that counts and then looks for waiters, in this order and none other.
        arguments(BLOCKED, swapped("CounterState.add", "value.getAndAdd")),
        arguments(SET, swapped("CounterState.set", "value.set")),
        arguments(SET, Mutant.plain("CounterState.set", "value.set")),
        arguments(FAILED, swapped("CounterState.addErrors", "errors.getAndAdd")),
        arguments(BLOCKED, Mutant.always("CounterState.changed", "nobody waits")),
        arguments(BLOCKED, Mutant.without("CounterState.queueCheck", "loop.wake")),
        // A waiter that counts itself and then looks.
        arguments(BLOCKED, Mutant.without("CounterState.await", counts)),
        arguments(BLOCKED, Mutant.swapped("CounterState.await", counts, "value.get")),
        arguments(BLOCKED, Mutant.without("CounterState.await", "waiting.getAndDecrement")),
        arguments(AWAITED, Mutant.without("CounterState.register", counts)),
        arguments(
            AWAITED,
            Mutant.swapped("CounterState.register", counts, "CounterState.check", "waits.check")),
        arguments(
            AWAITED,
            Mutant.swapped(
                "CounterState.register", "waits.add", "CounterState.check", "waits.check")),
        arguments(DEFERRED, Mutant.without("CounterState.defer", counts)),
        arguments(
            DEFERRED,
            Mutant.swapped(
                "CounterState.defer", counts, "CounterState.queueCheck", "loop.execute")),
        arguments(
            DEFERRED,
            Mutant.swapped(
                "CounterState.defer", "arriving.add", "CounterState.queueCheck", "loop.wake")),
        // The numbers are read before what arrives is put in order.
        arguments(
            JUMPING,
            Mutant.swapped(
                "CounterState.check", "value.get", "CounterState.takeArriving", "arriving.poll")),
        // A check that is taken off before the numbers are read.
        arguments(AWAITED, Mutant.swapped("CounterState.check", "checkQueued.set", "value.get")),
        arguments(AWAITED, Mutant.plain("CounterState.check", "checkQueued.set")),
        arguments(AWAITED, Mutant.without("CounterState.check", "checkQueued.set")),
        arguments(AWAITED, Mutant.always("CounterState.queueCheck", "queued already")),
        // A close that all hear of.
        arguments(CLOSED, Mutant.always("CounterState.check", "open")),
        arguments(CLOSED, Mutant.always("CounterState.close", "bound or closed")),
        arguments(
            CLOSED,
            Mutant.swapped(
                "CounterState.close",
                "bound.compareAndExchange",
                "CounterState.queueCheck",
                "loop.wake")),
        // What is taken back before it is registered.
        arguments(TAKEN_BACK, Mutant.always("CounterState.takeArriving", "it waits")),
        arguments(TAKEN_BACK, Mutant.without("CounterState.remove", "waits.remove")),
        arguments(
            TAKEN_BACK, Mutant.without("CounterState.takeArriving", "waiting.getAndDecrement")),
        arguments(CANCELLED, Mutant.without("Deferrals.end", "deferral.end")),
        arguments(DEFERRED, Mutant.without("CounterState.queueCheck", "loop.execute")));
  }

  private static Mutant swapped(String method, String change) {
    return Mutant.swapped(method, change, "CounterState.changed", "waiting.get");
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsMissing(Scene scene, Mutant mutant) {
    Exploration found = explore(mutant, scene);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
  }

  private static Map<String, List<String>> listings() {
    Map<String, List<String>> all = new TreeMap<>();
    for (Scene scene : SCENES) {
      all.putAll(new CounterModel(Mutant.none(), scene).model().listings());
    }
    return all;
  }

  @Test
  void shouldBeWhatTheClassesDo() {
    List<ClassNode> classes =
        List.of(
            CodeListing.read(CounterState.class),
            CodeListing.read(Deferrals.class),
            CodeListing.read(Deferral.class));
    assertThat(Drift.between(listings(), classes)).isEmpty();
  }
}
