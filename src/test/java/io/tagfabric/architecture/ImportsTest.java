package io.tagfabric.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What descriptions of packages say of imports holds. A sentence with "may import" or "imports" is
 * read if it names packages of the project in code type, or says "nothing of Tagfabric"; it then
 * names all that the package uses, but for annotations. Names begin below {@code io.tagfabric}.
 *
 * <pre>
 *  May import {@code a}, {@code b.c} and Agrona.
 *  May import {@code a} and what these use.
 *  May import every package of {@code module} and of the modules below it.
 * </pre>
 */
class ImportsTest {
  private static final Pattern SENTENCE =
      Pattern.compile("\\b(?:[Mm]ay import|[Ii]mports)\\b(.*?)(?:\\.(?= |$)|;)");
  private static final Pattern NAME =
      Pattern.compile(
          "((?:every package|the packages) of )?\\{@code (?:io\\.tagfabric\\.)?([a-z][a-z.-]*)\\}");

  private static final Map<String, Set<String>> USES = uses();

  /** Each package and the others of the project that it uses, by their names below the base. */
  private static Map<String, Set<String>> uses() {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : Modules.all()) {
      Set<String> used = uses.computeIfAbsent(name(type), any -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (Modules.owners().containsKey(target.getName())) {
          used.add(name(target));
        }
      }
    }
    uses.forEach(
        (name, used) -> {
          used.remove(name);
          used.remove("annotation");
        });
    return uses;
  }

  private static String name(JavaClass type) {
    return type.getPackageName().substring(House.BASE.length() + 1);
  }

  private static Set<String> closure(Set<String> names) {
    Set<String> all = new TreeSet<>(names);
    for (int before = -1; before < all.size(); ) {
      before = all.size();
      Set.copyOf(all).forEach(name -> all.addAll(USES.getOrDefault(name, Set.of())));
    }
    return all;
  }

  private static Set<String> ofModule(String module) {
    Set<String> modules = new TreeSet<>(House.MODULES.get(module));
    modules.add(module);
    return modules.stream()
        .flatMap(each -> Modules.classesOf(each).stream())
        .map(ImportsTest::name)
        .collect(toCollection(TreeSet::new));
  }

  /** The packages that a sentence names; null if it is not of the form that is read. */
  private static Set<String> allowed(String sentence) {
    Set<String> allowed = new TreeSet<>();
    boolean read = sentence.contains("nothing of Tagfabric");
    for (MatchResult found : NAME.matcher(sentence).results().toList()) {
      read = true;
      String name = found.group(2);
      if (found.group(1) != null && House.MODULES.containsKey(name)) {
        allowed.addAll(ofModule(name));
      } else {
        Set<String> packages = new TreeSet<>();
        USES.keySet().stream()
            .filter(
                each ->
                    each.equals(name)
                        || (each.startsWith(name + ".")
                            && (found.group(1) != null || !USES.containsKey(name))))
            .forEach(packages::add);
        assertThat(packages).as("package %s of: %s", name, sentence).isNotEmpty();
        allowed.addAll(packages);
      }
    }
    return !read ? null : sentence.contains("what these use") ? closure(allowed) : allowed;
  }

  @Test
  void shouldImportWhatDescriptionsOfPackagesSay() throws IOException {
    Map<String, Set<String>> unsaid = new TreeMap<>();
    int sentences = 0;
    for (String module : House.MODULES.keySet()) {
      Path base = Modules.sourcesOf(module).resolve(House.BASE.replace('.', '/'));
      for (Path directory : Modules.packageDirectories(Modules.sourcesOf(module))) {
        String text =
            Files.readString(directory.resolve("package-info.java"))
                .split("\\*/", 2)[0]
                .replaceAll("\\s+\\*?\\s*", " ");
        String name = base.relativize(directory).toString().replace('/', '.');
        for (MatchResult found : SENTENCE.matcher(text).results().toList()) {
          Set<String> allowed = allowed(found.group(1));
          if (allowed != null) {
            sentences++;
            Set<String> missing = new TreeSet<>(USES.getOrDefault(name, Set.of()));
            missing.removeAll(allowed);
            if (!missing.isEmpty()) {
              unsaid.put(name, missing);
            }
          }
        }
      }
    }

    assertThat(sentences).isGreaterThan(20);
    assertThat(unsaid).as("packages and what they use besides what they say").isEmpty();
  }
}
