package io.tagfabric.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.tagfabric.annotation.InternalApi;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What is public is either for programs, and listed, or marked {@link InternalApi}. */
final class SurfaceRules {
  private SurfaceRules() {}

  /** Every public top-level type is listed or marked, and not both. */
  static ArchRule decided(Set<String> listed) {
    return classes()
        .that(describe("are public and top-level", SurfaceRules::isPublicTopLevel))
        .should(
            new ArchCondition<JavaClass>("be listed for programs or marked @InternalApi") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                boolean marked = isMarked(type);
                if (marked == listed.contains(type.getName())) {
                  String what = marked ? " is listed and marked" : " is neither listed nor marked";
                  events.add(SimpleConditionEvent.violated(type, type.getName() + what));
                }
              }
            })
        .allowEmptyShould(true);
  }

  /** What programs see of a listed type names no type that is marked. */
  static ArchRule showsNoInternals(Set<String> listed) {
    return classes()
        .that(describe("are listed", type -> isShown(type, listed)))
        .should(
            new ArchCondition<JavaClass>("show no type that is marked @InternalApi") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                report(type, type.getName(), supertypes(type), events);
                for (JavaMember member : type.getMembers()) {
                  if (isVisible(member.getModifiers()) && !isMarked(member)) {
                    report(type, member.getFullName(), typesOf(member), events);
                  }
                }
              }
            })
        .allowEmptyShould(true);
  }

  /** Names of the packages that are marked as a whole. */
  static Set<String> markedPackages(JavaClasses classes) {
    Set<String> marked = new TreeSet<>();
    for (JavaClass type : classes) {
      if (type.getPackage().isAnnotatedWith(InternalApi.class)) {
        marked.add(type.getPackageName());
      }
    }
    return marked;
  }

  private static boolean isPublicTopLevel(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass();
  }

  /** Whether a type, or a public one around it, is listed. */
  private static boolean isShown(JavaClass type, Set<String> listed) {
    if (!isVisible(type.getModifiers()) || isMarked(type)) {
      return false;
    }
    return type.getEnclosingClass()
        .map(outer -> isShown(outer, listed))
        .orElseGet(() -> listed.contains(type.getName()));
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  private static boolean isMarked(JavaMember member) {
    return member.isAnnotatedWith(InternalApi.class);
  }

  static boolean isMarked(JavaClass type) {
    return type.isAnnotatedWith(InternalApi.class)
        || type.getPackage().isAnnotatedWith(InternalApi.class)
        || type.getEnclosingClass().map(SurfaceRules::isMarked).orElse(false);
  }

  private static Stream<JavaType> supertypes(JavaClass type) {
    return Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
  }

  private static Stream<JavaType> typesOf(JavaMember member) {
    if (member instanceof JavaCodeUnit unit) {
      return Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream());
    }
    return Stream.of(((JavaField) member).getType());
  }

  private static void report(
      JavaClass type, String where, Stream<JavaType> shown, ConditionEvents events) {
    Set<String> internal = new TreeSet<>();
    shown
        .flatMap(each -> each.getAllInvolvedRawTypes().stream())
        .map(JavaClass::getBaseComponentType)
        .filter(SurfaceRules::isMarked)
        .forEach(each -> internal.add(each.getName()));
    if (!internal.isEmpty()) {
      events.add(SimpleConditionEvent.violated(type, where + " shows " + internal));
    }
  }
}
