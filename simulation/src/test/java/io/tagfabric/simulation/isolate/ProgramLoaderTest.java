package io.tagfabric.simulation.isolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.simulation.isolate.RecordingEnvironment.Ended;
import io.tagfabric.simulation.isolate.program.CallingProgram;
import io.tagfabric.simulation.isolate.program.ForeignProgram;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProgramLoaderTest {
  private static final long SEED = 7;

  private final ProgramCode code =
      new ProgramCode(
          List.of(),
          ProgramLoaderTest.class.getClassLoader(),
          name -> name.startsWith(CallingProgram.class.getPackageName() + "."));
  private final RecordingEnvironment environment = new RecordingEnvironment(3, SEED);
  private final ProgramLoader loader = new ProgramLoader(code, environment);

  @AfterEach
  void close() {
    code.close();
  }

  private Object call(String method, Object... arguments) throws Exception {
    return call(loader, CallingProgram.class, method, arguments);
  }

  private static Object call(
      ProgramLoader loader, Class<?> program, String method, Object... arguments) throws Exception {
    Method found =
        Arrays.stream(loader.loadClass(program.getName()).getMethods())
            .filter(each -> each.getName().equals(method))
            .findFirst()
            .orElseThrow();
    try {
      return found.invoke(null, arguments);
    } catch (InvocationTargetException failure) {
      if (failure.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw failure;
    }
  }

  @Test
  void shouldGiveEachRankItsOwnStatics() throws Exception {
    ProgramLoader other = new ProgramLoader(code, new RecordingEnvironment(4, SEED));

    assertThat(call("countCalls")).isEqualTo(1);
    assertThat(call("countCalls")).isEqualTo(2);
    assertThat(call(other, CallingProgram.class, "countCalls")).isEqualTo(1);
    assertThat(CallingProgram.countCalls()).isEqualTo(1);
  }

  @Test
  void shouldTakeTheTimeFromTheEnvironment() throws Exception {
    String millis = Long.toString(RecordingEnvironment.NOW.toEpochMilli());
    String now = RecordingEnvironment.NOW.toString();

    assertThat(call("times"))
        .isEqualTo(
            List.of(
                "123456",
                "123456",
                millis,
                now,
                now,
                now,
                now,
                "2001-02-03T04:05:06Z",
                "2001-02-03",
                "2001-02-03",
                "2001-02-03",
                millis,
                millis,
                millis));
  }

  @Test
  void shouldSleepInTheEnvironment() throws Exception {
    call("sleeps");

    assertThat(environment.sleeps)
        .containsExactly(
            Duration.ofMillis(1),
            Duration.ofMillis(2).plusNanos(3),
            Duration.ofSeconds(4),
            Duration.ofNanos(5),
            Duration.ofNanos(6),
            Duration.ofMillis(7));
  }

  @Test
  void shouldTakeRandomNumbersFromTheSeed() throws Exception {
    List<?> numbers = (List<?>) call("numbers");
    List<?> again = numbersOf(SEED);
    List<?> others = numbersOf(SEED + 1);

    assertThat(again).isEqualTo(numbers);
    for (int i = 0; i < numbers.size(); i++) {
      assertThat(others.get(i)).as("number %d", i).isNotEqualTo(numbers.get(i));
    }
    assertThat(call("seeded")).isEqualTo(new Random(42).nextLong());
  }

  private List<?> numbersOf(long seed) throws Exception {
    ProgramLoader other = new ProgramLoader(code, new RecordingEnvironment(3, seed));
    return (List<?>) call(other, CallingProgram.class, "numbers");
  }

  @ParameterizedTest
  @CsvSource({"exit, exit 3", "runtime, exit 4", "halt, halt 5", "reference, exit 6"})
  void shouldEndTheRankNotTheJvm(String how, String end) {
    assertThatThrownBy(() -> call("end", how)).isInstanceOf(Ended.class).hasMessage(end);
  }

  @Test
  void shouldKeepShutdownHooksOfTheRank() throws Exception {
    assertThat(call("hooks")).isEqualTo(true);
    assertThat(environment.hooks).extracting(Thread::getName).containsExactly("kept");
  }

  @Test
  void shouldHaveVariablesAndPropertiesOfTheRank() throws Exception {
    assertThat(call("surroundings"))
        .isEqualTo(List.of("3", "3", "green", "gone", "green", "16", "16", "true"));
    assertThat(System.getProperty("colour")).isNull();
  }

  @Test
  void shouldHaveStreamsOfTheRank() throws Exception {
    assertThat(call("prints")).isEqualTo("input65");

    assertThat(environment.out.toString(StandardCharsets.UTF_8)).isEqualTo("out\nreference\n");
    assertThat(environment.err.toString(StandardCharsets.UTF_8))
        .startsWith("err\njava.lang.IllegalStateException: trace\n\tat ")
        .endsWith("\nto err\n");
  }

  @Test
  void shouldStartThreadsInTheEnvironment() throws Exception {
    List<?> said = (List<?>) call("threads");

    assertThat(environment.started).containsExactly("Thread", "Worker", "Thread");
    assertThat(said.stream().map(String.class::cast))
        .contains("thread", "worker", "reference")
        .filteredOn(name -> name.startsWith("of"))
        .containsExactlyElementsOf(
            Stream.concat(
                    Collections.nCopies(7, "of the rank").stream(),
                    Collections.nCopies(3, "of the executor").stream())
                .toList());
  }

  @Test
  void shouldTellTheEnvironmentOfEachWait() throws Exception {
    assertThat(call("waits")).isEqualTo(3);
    assertThat(environment.waits).isEqualTo(11);
  }

  @Test
  void shouldTurnCallsByReflectionToo() throws Exception {
    List<?> results = (List<?>) call("reflections");

    Random seeds = new Random(SEED);
    seeds.nextLong();
    long random = new Random(seeds.nextLong()).nextLong();
    assertThat(results)
        .isEqualTo(
            List.of(
                RecordingEnvironment.NANO_TIME,
                RecordingEnvironment.NANO_TIME,
                RecordingEnvironment.NANO_TIME,
                "slept",
                true,
                random,
                "hidden here"));
    assertThat(environment.sleeps).containsExactly(Duration.ofNanos(9), Duration.ofNanos(8));
  }

  static Stream<String> foreignCalls() {
    return Arrays.stream(ForeignProgram.class.getDeclaredMethods())
        .filter(method -> !method.isSynthetic())
        .map(Method::getName)
        .sorted();
  }

  @ParameterizedTest
  @MethodSource("foreignCalls")
  void shouldRefuseByNameWhatItCannotHave(String method) {
    environment.refusing = true;

    String expected = method.equals("inLambda") ? ".lambda$inLambda$" : "." + method;
    assertThatThrownBy(() -> call(loader, ForeignProgram.class, method))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageStartingWith(ForeignProgram.class.getName())
        .hasMessageContaining(method.endsWith("ByReference") ? ".tagfabric$call$" : expected)
        .hasMessageMatching(".* calls [a-z.]+[A-Z]\\S+, which a simulation does not have; .+");
  }

  @Test
  void shouldLetForeignCallsPassWhereTheEnvironmentAllowsThem() throws Exception {
    assertThat(call(loader, ForeignProgram.class, "parallelStream")).isEqualTo(3);
    assertThat(call(loader, ForeignProgram.class, "processHandle"))
        .isEqualTo(ProcessHandle.current().pid());
  }

  @Test
  void shouldKnowTheCodeSourceOfAClass() throws Exception {
    assertThat(
            loader
                .loadClass(CallingProgram.class.getName())
                .getProtectionDomain()
                .getCodeSource()
                .getLocation())
        .isEqualTo(CallingProgram.class.getProtectionDomain().getCodeSource().getLocation());
  }
}
