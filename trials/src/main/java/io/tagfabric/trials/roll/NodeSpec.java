package io.tagfabric.trials.roll;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a node is started.
 *
 * @param place number of its port among those of the cluster
 * @param generation how many nodes had the place before
 * @param ports of all places
 * @param joinsItself whether it is the first node of the cluster
 * @param rate messages of each kind a second to each other node
 * @param stableAfterS when the resolver downs what is unreachable
 * @param directory for its book
 */
record NodeSpec(
    int place,
    int generation,
    List<Integer> ports,
    boolean joinsItself,
    Build build,
    int rate,
    int stableAfterS,
    Path directory,
    Optional<Defect> defect) {

  /** What it is called in books. */
  String name() {
    return place + "." + generation;
  }

  int port() {
    return ports.get(place);
  }

  /** Where it writes its book. */
  Path book() {
    return directory.resolve("book-" + name());
  }

  /** The arguments of {@link RollNode}. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("place=" + place);
    arguments.add("generation=" + generation);
    arguments.add("ports=" + joined(ports));
    arguments.add("joins-itself=" + joinsItself);
    arguments.add("fabric=" + build.fabric());
    arguments.add("protocol=" + build.protocol());
    arguments.add("keys=" + joined(build.keys()));
    arguments.add("rate=" + rate);
    arguments.add("stable-after=" + stableAfterS);
    arguments.add("directory=" + directory);
    defect.ifPresent(each -> arguments.add("defect=" + each.label()));
    return arguments;
  }

  private static String joined(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Reads what {@link #arguments} has written. */
  static NodeSpec parse(String... arguments) {
    Map<String, String> words = new HashMap<>();
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      words.put(parts[0], parts[1]);
    }
    return new NodeSpec(
        Integer.parseInt(words.get("place")),
        Integer.parseInt(words.get("generation")),
        numbers(words.get("ports")),
        Boolean.parseBoolean(words.get("joins-itself")),
        new Build(
            Boolean.parseBoolean(words.get("fabric")),
            Integer.parseInt(words.get("protocol")),
            numbers(words.get("keys"))),
        Integer.parseInt(words.get("rate")),
        Integer.parseInt(words.get("stable-after")),
        Path.of(words.get("directory")),
        Optional.ofNullable(words.get("defect")).flatMap(Defect::of));
  }

  private static List<Integer> numbers(String text) {
    return Arrays.stream(text.split(","))
        .filter(word -> !word.isEmpty())
        .map(Integer::valueOf)
        .toList();
  }
}
