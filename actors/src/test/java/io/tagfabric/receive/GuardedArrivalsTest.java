package io.tagfabric.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.wire.TaggedArrivals;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardedArrivalsTest {
  private final List<String> called = new ArrayList<>();
  private final List<RuntimeException> defects = new ArrayList<>();

  private GuardedArrivals guarding(RuntimeException thrown) {
    TaggedArrivals receives =
        (TaggedArrivals)
            Proxy.newProxyInstance(
                TaggedArrivals.class.getClassLoader(),
                new Class<?>[] {TaggedArrivals.class},
                (proxy, method, arguments) -> {
                  called.add(method.getName() + Arrays.toString(arguments));
                  if (thrown != null) {
                    throw thrown;
                  }
                  return null;
                });
    return new GuardedArrivals(receives, defects::add);
  }

  /** Calls each method with numbers that tell the arguments apart. */
  private static List<String> callAll(GuardedArrivals guarded) throws ReflectiveOperationException {
    List<String> expected = new ArrayList<>();
    for (Method method : TaggedArrivals.class.getMethods()) {
      Object[] arguments = new Object[method.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        Class<?> type = method.getParameterTypes()[i];
        arguments[i] = type == long.class ? (Object) (10L + i) : type == int.class ? i : null;
        arguments[i] = type == boolean.class ? (Object) true : arguments[i];
      }
      method.invoke(guarded, arguments);
      expected.add(method.getName() + Arrays.toString(arguments));
    }
    return expected;
  }

  @Test
  void shouldHandEachCallOn() throws ReflectiveOperationException {
    List<String> expected = callAll(guarding(null));
    assertThat(called).hasSize(8).isEqualTo(expected);
    assertThat(defects).isEmpty();
  }

  @Test
  void shouldTellADefectOfTheReceivesAndNotTheBringer() throws ReflectiveOperationException {
    RuntimeException defect = new IllegalStateException("defect");
    List<String> expected = callAll(guarding(defect));
    assertThat(called).isEqualTo(expected);
    assertThat(defects).hasSize(8).allMatch(each -> each == defect);
  }
}
