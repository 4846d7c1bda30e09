package io.tagfabric.cluster.host;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The environment variables of a JVM with several ranks: those that are the same in all ranks, and
 * {@code RANK_<number>_<name>} for what each has of its own.
 */
public final class SharedVariables {
  private static final String PREFIX = "RANK_";

  private SharedVariables() {}

  /**
   * The variables of the JVM.
   *
   * @param ranks numbers of its ranks
   * @param variables of each of them
   */
  public static Map<String, String> of(List<Integer> ranks, List<Map<String, String>> variables) {
    Map<String, String> all = new LinkedHashMap<>();
    for (int i = 0; i < ranks.size(); i++) {
      String own = PREFIX + ranks.get(i) + "_";
      variables
          .get(i)
          .forEach(
              (name, value) ->
                  all.put(isCommon(variables, name, value) ? name : own + name, value));
    }
    return all;
  }

  private static boolean isCommon(List<Map<String, String>> variables, String name, String value) {
    return variables.stream().allMatch(each -> Objects.equals(each.get(name), value));
  }

  /**
   * The variables of one rank again: its own, and all that are no other rank's.
   *
   * @param all variables of the JVM
   */
  public static Map<String, String> ofRank(int rank, Map<String, String> all) {
    String own = PREFIX + rank + "_";
    Map<String, String> variables = new HashMap<>();
    all.forEach(
        (name, value) -> {
          if (!isOfARank(name)) {
            variables.putIfAbsent(name, value);
          } else if (name.startsWith(own)) {
            variables.put(name.substring(own.length()), value);
          }
        });
    return variables;
  }

  private static boolean isOfARank(String name) {
    int end = name.indexOf('_', PREFIX.length());
    return name.startsWith(PREFIX)
        && end > PREFIX.length()
        && name.substring(PREFIX.length(), end).chars().allMatch(Character::isDigit);
  }
}
