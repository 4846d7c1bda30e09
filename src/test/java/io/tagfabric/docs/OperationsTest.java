package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.access.Access;
import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.MemoryFutures;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.DeferredOperations;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.endpoint.EndpointPort;
import io.tagfabric.fabric.Capability;
import io.tagfabric.fabric.FabricHints;
import io.tagfabric.fabric.FabricInfo;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.provider.Provider;
import io.tagfabric.receive.Receives;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of operations by doors in docs/73-operations.md has no hole without a sentence, says
 * what the code does, and agrees with the pages of libfabric and GASNet and with the capabilities.
 */
class OperationsTest {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern SENTENCE = Pattern.compile("^(\\d+)\\. \\S", Pattern.MULTILINE);
  private static final Set<String> WORDS = Set.of("its end", "its reply");
  private static final Set<String> LEVELS =
      Arrays.stream(CompletionLevel.values()).map(Enum::name).collect(Collectors.toSet());
  private static final Set<Class<?>> VALUES =
      Set.of(TaggedSend.class, TaggedReceive.class, Probe.class, Access.class);

  /** What doors hand an accepted operation on with; marked so in the sources only. */
  private static final Set<String> INTERNAL = Set.of("accept", "begin");

  /** Classes with methods, or with messages, that take a value. */
  private static final List<Class<?>> DOORS =
      List.of(
          Endpoint.class,
          Receives.class,
          EndpointFutures.class,
          EndpointPort.class,
          DeferredOperations.class,
          EndpointMemory.class,
          MemoryFutures.class,
          Endpoint.SendTagged.class,
          Endpoint.AccessMemory.class,
          TagMatcher.PostReceive.class,
          TagMatcher.PostProbe.class);

  private static String page() throws IOException {
    return Files.readString(Pages.root().resolve("docs/73-operations.md"));
  }

  /** The rows of the tables of a page: their cells by the heads of their columns. */
  private static List<List<Map<String, String>>> tables() throws IOException {
    List<List<Map<String, String>>> tables = new ArrayList<>();
    List<String> head = null;
    for (String line : page().lines().toList()) {
      if (!line.startsWith("|")) {
        head = null;
      } else if (head == null) {
        head = cells(line);
        tables.add(new ArrayList<>());
      } else if (!line.startsWith("|---")) {
        List<String> cells = cells(line);
        assertThat(cells).as(line).hasSameSizeAs(head);
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < head.size(); i++) {
          row.put(head.get(i), cells.get(i));
        }
        tables.get(tables.size() - 1).add(row);
      }
    }
    assertThat(tables).hasSize(2);
    return tables;
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.substring(1).split("\\|", -1))
        .map(String::strip)
        .filter(cell -> !cell.isEmpty())
        .toList();
  }

  private static List<String> code(String text) {
    return CODE.matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static boolean isHole(String cell) {
    return cell.matches("\\d+");
  }

  @Test
  void shouldSayWhyOfEachHole() throws IOException {
    Set<String> sentences = new TreeSet<>();
    Matcher found = SENTENCE.matcher(page());
    while (found.find()) {
      sentences.add(found.group(1));
    }
    Set<String> holes = new TreeSet<>();
    for (List<Map<String, String>> table : tables()) {
      for (Map<String, String> row : table) {
        row.values().stream().filter(OperationsTest::isHole).forEach(holes::add);
      }
    }
    assertThat(holes).isEqualTo(sentences);
  }

  @Test
  void shouldNameWhatThereIs() throws IOException {
    for (List<Map<String, String>> table : tables()) {
      for (Map<String, String> row : table) {
        row.forEach(
            (column, cell) -> {
              if (!column.equals("operation") && !isHole(cell) && !WORDS.contains(cell)) {
                List<String> names = code(cell);
                if (names.isEmpty()) {
                  assertThat(cell.split(", ")).as(row.toString()).allMatch(LEVELS::contains);
                }
                assertThat(names).as(row.toString()).allMatch(JavaNames.all()::has);
              }
            });
      }
    }
  }

  private static Class<?> value(Map<String, String> row) {
    String name = code(row.get("made by")).get(0).split("\\.")[0];
    return VALUES.stream().filter(each -> each.getSimpleName().equals(name)).findAny().orElse(null);
  }

  /** What takes a value by this name: a method, or the constructors and makers of a message. */
  private static Stream<Executable> takers(String name) {
    String[] parts = name.split("\\.");
    return DOORS.stream()
        .flatMap(
            door -> {
              boolean isMessage = door.getEnclosingClass() != null;
              String owner =
                  isMessage
                      ? door.getEnclosingClass().getSimpleName() + "." + door.getSimpleName()
                      : door.getSimpleName();
              if (isMessage && owner.equals(name)) {
                return Stream.concat(
                    Arrays.stream(door.getConstructors()), Arrays.stream(door.getMethods()));
              }
              return owner.equals(parts[0])
                  ? Arrays.stream(door.getMethods()).filter(it -> it.getName().equals(parts[1]))
                  : Stream.empty();
            });
  }

  private static boolean takes(Executable taker, Class<?> value) {
    return Arrays.asList(taker.getParameterTypes()).contains(value);
  }

  @Test
  void shouldHaveDoorsThatTakeTheValue() throws IOException {
    int doors = 0;
    for (Map<String, String> row : tables().get(0)) {
      Class<?> value = value(row);
      for (String column : List.of("queue", "future", "actor", "listener on the loop", "counter")) {
        for (String name : value == null ? List.<String>of() : code(row.get(column))) {
          doors++;
          assertThat(takers(name).anyMatch(taker -> takes(taker, value)))
              .as("%s takes a %s", name, value.getSimpleName())
              .isTrue();
        }
      }
    }
    assertThat(doors).isGreaterThan(30);
  }

  /** A public method that takes a value is a door, and stands in a row of that value. */
  @Test
  void shouldHaveEveryDoor() throws IOException {
    String text = page();
    for (Class<?> door : DOORS) {
      boolean isMessage = door.getEnclosingClass() != null;
      String owner = isMessage ? door.getEnclosingClass().getSimpleName() : door.getSimpleName();
      Stream<? extends Executable> takers =
          isMessage ? Arrays.stream(door.getConstructors()) : Arrays.stream(door.getMethods());
      for (Executable taker : takers.toList()) {
        if (!INTERNAL.contains(taker.getName())
            && VALUES.stream().anyMatch(value -> takes(taker, value))) {
          String simple = isMessage ? door.getSimpleName() : taker.getName();
          String declaring = isMessage ? owner : taker.getDeclaringClass().getSimpleName();
          assertThat(
                  List.of("`" + owner + "." + simple + "`", "`" + declaring + "." + simple + "`"))
              .as("a row of %s", taker)
              .anyMatch(text::contains);
        }
      }
    }
  }

  @Test
  void shouldAgreeWithTheCapabilities() throws IOException {
    Settings settings = Settings.of(ConfigFactory.load());
    Map<Capability, Boolean> claimed = new LinkedHashMap<>();
    List<List<Map<String, String>>> tables = tables();
    claimed.put(Capability.TRIGGER, has(tables.get(0), "counter"));
    claimed.put(Capability.FENCE, has(tables.get(1), "fence"));
    claimed.put(Capability.REMOTE_CQ_DATA, has(tables.get(1), "immediate data"));
    claimed.put(Capability.TAGGED, hasRow(tables.get(0), "with a tag"));
    claimed.put(Capability.MSG, hasRow(tables.get(0), "without a tag"));
    claimed.put(Capability.RMA, hasRow(tables.get(0), "write") && hasRow(tables.get(0), "read"));
    claimed.put(Capability.ATOMIC, hasRow(tables.get(0), "atomic"));
    claimed.put(Capability.COLLECTIVE, false); // of a team, not of an endpoint
    claimed.forEach(
        (capability, here) ->
            assertThat(
                    !FabricInfo.find(
                            settings, Provider.installed(), FabricHints.any().with(capability))
                        .isEmpty())
                .as("%s", capability)
                .isEqualTo(here));
  }

  private static boolean has(List<Map<String, String>> table, String column) {
    return table.stream().anyMatch(row -> !code(row.get(column)).isEmpty());
  }

  private static boolean hasRow(List<Map<String, String>> table, String operation) {
    return table.stream().anyMatch(row -> row.get("operation").endsWith(operation));
  }

  @Test
  void shouldBeOnThePagesOfLibfabricAndGasnet() throws IOException {
    String pages =
        Files.readString(Pages.root().resolve("docs/70-libfabric.md"))
            + Files.readString(Pages.root().resolve("docs/71-gasnet.md"));
    for (Map<String, String> row : tables().get(0)) {
      assertThat(code(row.get("made by")))
          .as("operation [%s] there", row.get("operation"))
          .anyMatch(
              name ->
                  pages.contains("`" + name + "`")
                      || pages.contains("`" + name.split("\\.")[0] + "`"));
    }
    for (Map<String, String> row : tables().get(1)) {
      for (String name : code(row.get("immediate data") + row.get("several buffers"))) {
        assertThat(pages).as("option of [%s] there", row.get("operation")).contains(name);
      }
    }
  }
}
