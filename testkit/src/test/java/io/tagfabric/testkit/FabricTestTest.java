package io.tagfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import akka.actor.typed.ActorSystem;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

@FabricTest(endpoints = {"alice", "bob", "carol"})
class FabricTestTest {
  private TestFabric before;

  @BeforeEach
  void remember(TestFabric fabric) {
    before = fabric;
  }

  @AfterEach
  void stillOpen(TestFabric fabric, Domain domain) {
    assertThat(fabric).isSameAs(before);
    assertThat(fabric.fabric().domains()).contains(domain);
  }

  @Test
  void shouldGiveParametersOfOneTest(
      TestFabric test,
      Fabric fabric,
      Domain domain,
      ActorSystem<?> system,
      TestNetwork network,
      List<Endpoint> endpoints) {
    assertThat(test.fabric()).isSameAs(fabric);
    assertThat(test.domain()).isSameAs(domain);
    assertThat(test.system()).isSameAs(system);
    assertThat(test.network()).isSameAs(network);
    assertThat(endpoints)
        .containsExactlyElementsOf(test.names().stream().map(test::endpoint).toList());
    assertThat(test.names()).containsExactly("alice", "bob", "carol");
  }

  @Test
  void shouldGiveEndpointsInTheirOrderUnlessTheyAreNamed(
      Endpoint first,
      @At("carol") Endpoint named,
      Endpoint second,
      TagProbe probe,
      TagProbe other) {
    assertThat(first.address().name()).isEqualTo("alice");
    assertThat(named.address().name()).isEqualTo("carol");
    assertThat(second.address().name()).isEqualTo("bob");
    assertThat(probe.endpoint()).isSameAs(first);
    assertThat(other.endpoint()).isSameAs(second);
  }

  @Test
  void shouldGiveATeamOfAllEndpoints(TestFabric fabric, List<Team> teams, @At("bob") Team bob) {
    List<CompletionStage<long[]>> sums =
        teams.stream().map(t -> t.allreduce(new long[] {t.rank()}, Reduction.SUM)).toList();

    assertThat(bob).isSameAs(teams.get(1));
    assertThat(sums).allSatisfy(sum -> assertThat(fabric.await(sum)).containsExactly(3));
  }

  @FabricTest(
      settings = {"tagfabric.endpoint.queue-size = 16", "tagfabric.partition.key = 7"},
      progress = ProgressMode.MANUAL)
  @Test
  void shouldPreferTheAnnotationOfTheMethod(TestFabric fabric) {
    assertThat(fabric.names()).containsExactly("a", "b");
    assertThat(fabric.fabric().partitionKey()).isEqualTo(7);
    assertThat(fabric.domain().progressSettings().mode()).isEqualTo(ProgressMode.MANUAL);
  }

  @Nested
  class Inner {
    @Test
    void shouldFindTheAnnotationAround(TestFabric fabric) {
      assertThat(fabric.names()).contains("carol");
    }
  }

  @Test
  void shouldReportWhatATestLeavesBehind() {
    Events tests = run(Leaving.class);

    tests.assertStatistics(counts -> counts.started(2).failed(1).succeeded(1));
    tests
        .failed()
        .assertThatEvents()
        .haveExactly(
            1,
            finishedWithFailure(
                message(
                    text ->
                        text.equals(
                            "the test has left behind:\n"
                                + "  message at b that nobody received: tag 0x7 from a, 3 B"))));
  }

  @FabricTest
  static class Leaving {
    @Test
    void leaves(TagProbe a) {
      a.send("b", 7, "abc");
    }

    @FabricTest(leaks = LeakPolicy.IGNORE)
    @Test
    void mayLeave(TagProbe a) {
      a.send("b", 7, "abc");
    }
  }

  @Test
  void shouldAddLeaksToTheFailureOfTheTest() {
    List<Throwable> failures = failuresOf(FailingAndLeaving.class);

    assertThat(failures)
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure).hasMessage("the test's own");
              assertThat(failure.getSuppressed())
                  .singleElement()
                  .satisfies(
                      leak ->
                          assertThat(leak)
                              .hasMessageEndingWith(
                                  "receive at a that has not ended: tag 0x9 from any"));
            });
  }

  @FabricTest
  static class FailingAndLeaving {
    @Test
    void fails(Endpoint a) {
      a.futures().receiveTagged(TagSelector.exact(9));
      throw new IllegalStateException("the test's own");
    }
  }

  @Test
  void shouldSayWhyAParameterCannotBeHad() {
    assertThat(failuresOf(TooMany.class))
        .singleElement()
        .satisfies(
            failure ->
                assertThat(failure)
                    .hasMessage(
                        "parameter number 3 of type Endpoint, but the endpoints are [a, b], name"
                            + " more of them in @FabricTest(endpoints = ..)"));
    assertThat(failuresOf(InConstructor.class))
        .singleElement()
        .satisfies(failure -> assertThat(failure).hasMessageContaining("belongs to one test"));
  }

  @FabricTest
  static class TooMany {
    @Test
    void asks(Endpoint a, Endpoint b, Endpoint c) {}
  }

  @FabricTest
  static class InConstructor {
    InConstructor(TestFabric fabric) {}

    @Test
    void asks() {}
  }

  @Test
  void shouldGiveTestsThatRunAtTheSameTimeFabricsOfTheirOwn() {
    InParallel.SYSTEMS.clear();
    Events tests =
        EngineTestKit.engine("junit-jupiter")
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
            .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
            .configurationParameter(
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
            .selectors(selectClass(InParallel.class))
            .execute()
            .testEvents();

    tests.assertStatistics(counts -> counts.succeeded(8).failed(0));
    assertThat(InParallel.SYSTEMS).hasSize(8);
  }

  @Execution(ExecutionMode.CONCURRENT)
  @FabricTest
  static class InParallel {
    static final Set<String> SYSTEMS = ConcurrentHashMap.newKeySet();

    @RepeatedTest(8)
    void sends(TestFabric fabric, TagProbe a, TagProbe b) {
      SYSTEMS.add(fabric.system().name());
      a.send("b", 7, "hello");
      b.expectTagged(7, "hello");
    }
  }

  @Test
  void shouldTakeABuilder() {
    run(WithBuilder.class).assertStatistics(counts -> counts.succeeded(1).failed(0));
  }

  static class WithBuilder {
    @RegisterExtension
    static final FabricExtension FABRIC = new FabricExtension(TestFabric.builder().endpoints("x"));

    @Test
    void asks(TestFabric fabric) {
      assertThat(fabric.names()).containsExactly("x");
    }
  }

  private static Events run(Class<?> tests) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(tests))
        .execute()
        .testEvents();
  }

  private static List<Throwable> failuresOf(Class<?> tests) {
    return run(tests).failed().stream()
        .flatMap(
            event ->
                event
                    .getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
                    .getThrowable()
                    .stream())
        .toList();
  }
}
