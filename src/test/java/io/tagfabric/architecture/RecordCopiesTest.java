package io.tagfabric.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What records name when they copy themselves is there: the compiler does not look. */
class RecordCopiesTest {
  private static final Pattern COPY = Pattern.compile("RecordCopy\\.with\\(\\s*this,(.*?)\\);");
  private static final Pattern NAME = Pattern.compile("\"(\\w+)\", *([^,\"]+)");

  @Test
  void shouldNameComponentsOfTheRecord() throws IOException, ReflectiveOperationException {
    List<String> wrong = new ArrayList<>();
    int copies = 0;
    for (JavaClass type : Modules.all()) {
      if (!type.isRecord() || !type.isTopLevelClass()) {
        continue;
      }
      String module = Modules.owners().get(type.getName());
      Path file =
          Modules.sourcesOf(module).resolve(type.getName().replace('.', '/').concat(".java"));
      String text = Files.readString(file).replaceAll("\\s+", " ");
      List<String> components =
          Arrays.stream(Class.forName(type.getName()).getRecordComponents())
              .map(RecordComponent::getName)
              .toList();
      for (MatchResult copy : COPY.matcher(text).results().toList()) {
        copies++;
        List<String> named =
            NAME.matcher(copy.group(1)).results().map(found -> found.group(1)).toList();
        if (named.isEmpty() || !components.containsAll(named)) {
          wrong.add(type.getName() + " copies " + named + ", it has " + components);
        }
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(copies).isGreaterThan(40);
  }
}
