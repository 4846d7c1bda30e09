package io.tagfabric.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.Set;

/** The rules themselves, without the lists: each holds for an empty set of classes. */
final class Rules {
  private static final Map<String, Set<String>> PRINTING_AND_EXITING =
      Map.of(
          "java.lang.System", Set.of("out", "err", "exit"),
          "java.lang.Runtime", Set.of("halt", "exit"),
          "java.lang.Throwable", Set.of("printStackTrace"));

  private Rules() {}

  /** No package uses another that, by any way, uses it. */
  static ArchRule noPackageCycles() {
    return slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                return SliceIdentifier.of(type.getPackageName());
              }

              @Override
              public String getDescription() {
                return "packages";
              }
            })
        .namingSlices("package $1")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true);
  }

  /** Packages directly below {@code parent} do not use one another. */
  static ArchRule strangers(String parent) {
    return slices()
        .matching(parent + ".(*)..")
        .namingSlices("$1")
        .should()
        .notDependOnEachOther()
        .allowEmptyShould(true);
  }

  /** A module uses only what {@code allowed} lists for it. */
  static ArchRule moduleOrder(Map<String, String> owners, Map<String, Set<String>> allowed) {
    return classes()
        .should(
            new ArchCondition<JavaClass>("use only modules " + allowed) {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                String from = owners.get(type.getName());
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                  String to =
                      owners.get(dependency.getTargetClass().getBaseComponentType().getName());
                  if (to != null && !to.equals(from) && !allowed.get(from).contains(to)) {
                    events.add(
                        SimpleConditionEvent.violated(
                            type, from + " uses " + to + ": " + dependency.getDescription()));
                  }
                }
              }
            })
        .allowEmptyShould(true);
  }

  /** No class of the package, or below it, uses Akka, save the top-level {@code shells}. */
  static ArchRule plain(String packageName, Set<String> shells) {
    return noClasses()
        .that()
        .resideInAPackage(packageName + "..")
        .and(
            describe("are not the actor " + shells, type -> !shells.contains(topLevel(type, true))))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("akka..")
        .allowEmptyShould(true);
  }

  /** No class of {@code packageName}, or below it, uses one of {@code forbidden}, or below it. */
  static ArchRule never(String packageName, String forbidden) {
    return noClasses()
        .that()
        .resideInAPackage(packageName + "..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(forbidden + "..")
        .allowEmptyShould(true);
  }

  /**
   * Only classes of {@code packageName}, and the top-level classes {@code besides}, use those of
   * {@code guarded}, or below it.
   */
  static ArchRule onlyIn(String packageName, Set<String> besides, String guarded) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(packageName)
        .and(describe("are not " + besides, type -> !besides.contains(topLevel(type, false))))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(guarded + "..")
        .allowEmptyShould(true);
  }

  /** No class outside of {@code packages} uses one of these types. */
  static ArchRule onlyThere(Set<String> packages, Set<String> types) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(packages.toArray(String[]::new))
        .should()
        .dependOnClassesThat(describe("are of " + types, type -> types.contains(type.getName())))
        .allowEmptyShould(true);
  }

  /** Nothing is printed and no JVM is ended, save by the top-level classes {@code allowed}. */
  static ArchRule neitherPrintsNorExits(Set<String> allowed) {
    DescribedPredicate<JavaAccess<?>> printsOrExits =
        describe(
            "prints or ends the JVM",
            access ->
                PRINTING_AND_EXITING.entrySet().stream()
                    .anyMatch(
                        entry ->
                            access.getTargetOwner().isAssignableTo(entry.getKey())
                                && entry.getValue().contains(access.getTarget().getName())));
    return noClasses()
        .that(describe("are not " + allowed, type -> !allowed.contains(topLevel(type, false))))
        .should()
        .accessTargetWhere(printsOrExits)
        .allowEmptyShould(true);
  }

  private static String topLevel(JavaClass type, boolean simple) {
    String name = type.getName();
    int nested = name.indexOf('$');
    String top = nested < 0 ? name : name.substring(0, nested);
    return simple ? top.substring(top.lastIndexOf('.') + 1) : top;
  }
}
