package io.tagfabric.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.tagfabric.architecture.example.Forgetful;
import io.tagfabric.architecture.example.Talker;
import io.tagfabric.architecture.example.left.Left;
import io.tagfabric.architecture.example.outside.Obedient;
import io.tagfabric.architecture.example.outside.Reaching;
import io.tagfabric.architecture.example.right.Right;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A checker that cannot fail proves nothing, so each meets code that breaks its rule. */
class CheckersTest {
  private static final String EXAMPLE = "io.tagfabric.architecture.example";
  private static final String SURFACE = EXAMPLE + ".surface.";
  private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(EXAMPLE);

  @Test
  void shouldFindThePackageCycle() {
    assertFailsNaming(Rules.noPackageCycles(), "example.left", "example.right");
  }

  @Test
  void shouldFindNoCycleWhenOneSideIsAbsent() {
    Rules.noPackageCycles().check(new ClassFileImporter().importClasses(Left.class));
  }

  @Test
  void shouldFindTheModuleThatPointsBack() {
    Map<String, String> owners = Map.of(Left.class.getName(), "low", Right.class.getName(), "high");
    Map<String, Set<String>> allowed = Map.of("low", Set.of(), "high", Set.of("low"));
    JavaClasses classes = new ClassFileImporter().importClasses(Left.class, Right.class);

    assertThatThrownBy(() -> Rules.moduleOrder(owners, allowed).check(classes))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("low uses high")
        .hasMessageNotContaining("high uses low");
  }

  @Test
  void shouldFindAkkaInAPlainPackage() {
    assertFailsNaming(Rules.plain(EXAMPLE, Set.of()), "Forgetful", "akka.actor");
  }

  @Test
  void shouldAllowAkkaInTheActorOfAPlainPackage() {
    Rules.plain(EXAMPLE, Set.of("Forgetful")).check(CLASSES);
  }

  @Test
  void shouldFindAForbiddenPackage() {
    assertFailsNaming(Rules.never(EXAMPLE + ".left", EXAMPLE + ".right"), "Left", "Right");
  }

  @Test
  void shouldFindUsersOfAGuardedPackage() {
    String guarded = EXAMPLE + ".right";
    assertFailsNaming(Rules.onlyIn(guarded, Set.of(), guarded), "Left", "Right");
    Rules.onlyIn(guarded, Set.of(Left.class.getName()), guarded).check(CLASSES);
    Rules.onlyIn(EXAMPLE + ".left", Set.of(), guarded)
        .check(new ClassFileImporter().importClasses(Left.class));
  }

  @Test
  void shouldFindProvidersThatKnowEachOther() {
    assertFailsNaming(Rules.strangers(EXAMPLE + ".provider"), "Second", "First");
  }

  @Test
  void shouldFindListsOfProviders() {
    ProviderLists lists = new ProviderLists(Set.of("local", "shm", "tcp"));

    assertThat(
            List.of(
                "List.of(\"local\", \"shm\")",
                "\"of local, shm or tcp.\"",
                "a(\"shm\"); // b(\"\n case \"tcp\" -> 1",
                "\"\"\"\n use = [shm, tcp, local]\"\"\""))
        .allMatch(lists::lists);
    assertThat(
            List.of(
                "\"fuzz --provider shm,tcp\"",
                "// of local, shm or tcp: \"local\", \"shm\"",
                "\"shm\" + \"shm\"",
                "\"/dev/shm, artery-tcp, local.name, shmem\""))
        .noneMatch(lists::lists);
  }

  @Test
  void shouldFindPrintingAndExiting() {
    assertFailsNaming(Rules.neitherPrintsNorExits(Set.of()), "System.out", "Runtime.halt");
  }

  @Test
  void shouldAllowPrintingToListedClasses() {
    Rules.neitherPrintsNorExits(Set.of(Talker.class.getName())).check(CLASSES);
  }

  @Test
  void shouldFindWhatReachesPastTheEnvironment() {
    assertFailsNaming(
        OutsideRules.takesFromEnvironment(Map.of()),
        "Reaching.call()",
        "System.nanoTime",
        "Reaching.reference()",
        "System.currentTimeMillis",
        "UUID.randomUUID",
        "TimeSource.SYSTEM",
        "ThreadLocalRandom.current",
        "Reaching.thread()",
        "CompletableFuture.runAsync",
        "IdentityHashMap.values",
        "(11 times)");
  }

  @Test
  void shouldAllowNoMoreThanIsListed() {
    Map<String, Set<String>> some =
        Map.of(Reaching.class.getName(), Set.of("System", "IdentityHashMap", "Thread"));

    assertFailsNaming(
        OutsideRules.takesFromEnvironment(some),
        "UUID.randomUUID",
        "IdentityHashMap.values",
        "(7 times)");
  }

  @Test
  void shouldLetTakeFromTheEnvironment() {
    OutsideRules.takesFromEnvironment(Map.of())
        .check(new ClassFileImporter().importClasses(Obedient.class));
  }

  @Test
  void shouldFindTheForgottenCommand() {
    assertThat(CommandHandlers.isProtocol(Forgetful.Command.class)).isTrue();
    assertThat(CommandHandlers.missing(Forgetful.Command.class))
        .containsExactly(Forgetful.class.getName() + ".onForgotten");
  }

  @Test
  void shouldFindThePublicTypeOfWhichNothingIsDecided() {
    assertFailsNaming(
        SurfaceRules.decided(Set.of(SURFACE + "Shown")),
        SURFACE + "Undecided is neither listed nor marked");
    assertFailsNaming(
        SurfaceRules.decided(Set.of(SURFACE + "Hidden")), SURFACE + "Hidden is listed and marked");
  }

  @Test
  void shouldAcceptWhatIsListedOrMarked() {
    SurfaceRules.decided(Set.of(SURFACE + "Shown", SURFACE + "Undecided"))
        .check(new ClassFileImporter().importPackages(EXAMPLE + ".surface"));
  }

  @Test
  void shouldFindTheInternalTypesThatAListedTypeShows() {
    assertFailsNaming(
        SurfaceRules.showsNoInternals(Set.of(SURFACE + "Shown")),
        "Shown shows [" + SURFACE + "Hidden]",
        "Shown.parts() shows [" + SURFACE + "inside.Inside$Part]",
        "Shown$Nested.take(" + SURFACE + "inside.Inside) shows [" + SURFACE + "inside.Inside]",
        "(3 times)");
  }

  @Test
  void shouldFindMarkedPackages() {
    assertThat(SurfaceRules.markedPackages(CLASSES)).containsExactly(SURFACE + "inside");
  }

  private static void assertFailsNaming(ArchRule rule, String... names) {
    assertThatThrownBy(() -> rule.check(CLASSES))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll(names);
  }
}
