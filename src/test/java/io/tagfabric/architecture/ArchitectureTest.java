package io.tagfabric.architecture;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import io.tagfabric.provider.Provider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rules of {@link Rules}, {@link SurfaceRules} and {@link CommandHandlers} on what the modules
 * compiled to.
 */
class ArchitectureTest {
  static Set<String> modules() {
    return new TreeSet<>(House.MODULES.keySet());
  }

  static List<String> libraries() {
    return House.LIBRARIES;
  }

  static List<String> quiet() {
    return House.QUIET;
  }

  static Set<String> plainPackages() {
    return new TreeSet<>(House.PLAIN_PACKAGES.keySet());
  }

  @Test
  void shouldReadClassesOfTheModules() {
    assertThat(Modules.owners()).containsEntry("io.tagfabric.error.FabricError", "actors");
  }

  @Test
  void shouldUseOnlyModulesBelow() {
    Rules.moduleOrder(Modules.owners(), House.MODULES).check(Modules.all());
  }

  @Test
  void shouldListTheModulesOfThePoms() throws IOException {
    assertThat(Drawing.ofPoms(House.MODULES.keySet())).isEqualTo(House.MODULES);
    assertThat(Files.readString(Modules.pom()))
        .as("modules of the root pom with classes")
        .satisfies(
            pom ->
                assertThat(Pattern.compile("<module>([^<]+)</").matcher(pom).results())
                    .extracting(found -> found.group(1))
                    .filteredOn(name -> Files.exists(Modules.sourcesOf(name)))
                    .containsExactlyInAnyOrderElementsOf(House.MODULES.keySet()));
  }

  @Test
  void shouldDrawTheModules() throws IOException {
    assertThat(drawing().reachable()).isEqualTo(House.MODULES);
  }

  @Test
  void shouldDrawThePackagesOfEveryModule() throws IOException {
    Map<String, Set<String>> packages =
        House.MODULES.keySet().stream()
            .collect(
                toMap(
                    module -> module,
                    module ->
                        Modules.classesOf(module).stream()
                            .map(JavaClass::getPackageName)
                            .collect(toSet())));

    assertThat(drawing().packages()).isEqualTo(packages);
  }

  private static Drawing drawing() throws IOException {
    return Drawing.of(Modules.pom().resolveSibling("docs/30-design.md"));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void shouldHaveNoPackageCycleInAModule(String module) {
    Rules.noPackageCycles().check(Modules.classesOf(module));
  }

  @Test
  void shouldKeepAPackageInOneModule() {
    Map<String, Set<String>> modulesOfPackage =
        House.MODULES.keySet().stream()
            .flatMap(
                module ->
                    Modules.classesOf(module).stream()
                        .map(type -> Map.entry(type.getPackageName(), module)))
            .collect(groupingBy(Map.Entry::getKey, mapping(Map.Entry::getValue, toSet())));

    assertThat(modulesOfPackage).allSatisfy((name, owners) -> assertThat(owners).hasSize(1));
  }

  @ParameterizedTest
  @MethodSource("plainPackages")
  void shouldKeepThePlainCoresFreeOfAkka(String packageName) {
    Rules.plain(packageName, House.PLAIN_PACKAGES.get(packageName)).check(Modules.all());
  }

  @Test
  void shouldKeepClusterConfigFreeOfAkka() {
    Rules.plain(House.BASE, Set.of()).check(Modules.classesOf("cluster-config"));
  }

  @Test
  void shouldUseNoPackageThatIsForbidden() {
    House.NEVER.forEach(
        (name, forbidden) ->
            forbidden.forEach(other -> Rules.never(name, other).check(Modules.all())));
  }

  @Test
  void shouldKeepProvidersApart() {
    Rules.strangers("io.tagfabric.provider").check(Modules.all());
  }

  @Test
  void shouldAskProvidersWhereThereIsAListOfThem() {
    ProviderLists lists =
        new ProviderLists(Provider.installed().stream().map(Provider::name).toList());
    List<String> found =
        House.MODULES.keySet().stream()
            .flatMap(module -> lists.below(Modules.sourcesOf(module)).stream())
            .toList();

    assertThat(found)
        .filteredOn(name -> !name.startsWith("io.tagfabric.provider."))
        .as("classes with a list of providers, which the next one is not in")
        .isSubsetOf(House.MAY_LIST_PROVIDERS.keySet());
  }

  @ParameterizedTest
  @MethodSource("quiet")
  void shouldNeitherPrintNorExit(String module) {
    Rules.neitherPrintsNorExits(House.MAY_PRINT_OR_EXIT.keySet()).check(Modules.classesOf(module));
  }

  @ParameterizedTest
  @ValueSource(strings = {"actors", "collectives"})
  void shouldTakeFromTheEnvironmentWhatANodeGetsFromOutside(String module) {
    OutsideRules.takesFromEnvironment(House.MAY_REACH_PAST_THE_ENVIRONMENT)
        .check(Modules.classesOf(module));
  }

  @ParameterizedTest
  @ValueSource(strings = {"actors", "collectives"})
  void shouldLearnOfOtherNodesByTheMembershipAlone(String module) {
    Rules.onlyIn("io.tagfabric.runtime", House.KNOWS_AKKA_CLUSTER, "akka.cluster")
        .check(Modules.classesOf(module));
  }

  @Test
  void shouldNameInternalTypesOfAkkaInFewPackages() {
    Rules.onlyThere(House.NAMES_INTERNAL_OF_AKKA, House.INTERNAL_OF_AKKA).check(Modules.all());
  }

  @Test
  void shouldListOnlyWhatReachesPastTheEnvironment() {
    Map<String, Set<String>> reached = new TreeMap<>();
    for (JavaClass type : Modules.all()) {
      for (JavaAccess<?> access : type.getAccessesFromSelf()) {
        String past = OutsideRules.reached(access);
        if (past != null) {
          reached.computeIfAbsent(OutsideRules.topLevel(type), any -> new TreeSet<>()).add(past);
        }
      }
    }

    assertThat(House.MAY_REACH_PAST_THE_ENVIRONMENT)
        .allSatisfy((name, types) -> assertThat(reached.get(name)).containsAll(types));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void shouldDescribeEveryPackage(String module) {
    List<Path> undescribed =
        Modules.packageDirectories(Modules.sourcesOf(module)).stream()
            .filter(directory -> !Files.exists(directory.resolve("package-info.java")))
            .toList();

    assertThat(undescribed).as("packages without a package-info.java").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void shouldDecideOfEveryPublicTypeWhetherProgramsMayUseIt(String module) {
    SurfaceRules.decided(Surface.types()).check(Modules.classesOf(module));
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void shouldShowProgramsNoInternalType(String module) {
    SurfaceRules.showsNoInternals(Surface.types()).check(Modules.classesOf(module));
  }

  @Test
  void shouldListTypesThatExist() {
    assertThat(Modules.owners().keySet()).containsAll(Surface.types());
  }

  @Test
  void shouldLeaveInternalPackagesOutOfTheJavadoc() throws IOException {
    Matcher property =
        Pattern.compile("<internal.packages>([^<]+)</").matcher(Files.readString(Modules.pom()));

    assertThat(property.find()).as("the root pom has the property internal.packages").isTrue();
    assertThat(property.group(1).split(":", -1))
        .containsExactlyInAnyOrderElementsOf(SurfaceRules.markedPackages(Modules.all()));
  }

  @Test
  void shouldHandleEveryCommandOfAnActor() {
    List<String> missing =
        protocols().flatMap(protocol -> CommandHandlers.missing(protocol).stream()).toList();

    assertThat(missing).as("handlers that no actor declares").isEmpty();
  }

  private static Stream<Class<?>> protocols() {
    return Modules.all().stream()
        .filter(type -> type.isInterface() && type.getSimpleName().equals("Command"))
        .<Class<?>>map(ArchitectureTest::load)
        .filter(CommandHandlers::isProtocol);
  }

  private static Class<?> load(JavaClass type) {
    try {
      return Class.forName(type.getName(), false, ArchitectureTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(type.getName() + " is compiled but not on the class path", e);
    }
  }
}
