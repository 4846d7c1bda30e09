package io.tagfabric.cluster.settings;

import io.tagfabric.annotation.InternalApi;

/**
 * One setting as a person reads it.
 *
 * @param key full key, such as {@code tagfabric.endpoint.inject-size}
 * @param variable environment variable that overrides it
 * @param type word for the kind of value, such as {@code Duration}
 * @param unit unit of a bare number, empty if there is none
 * @param expected what a value has to be, with its range or choices
 * @param defaultValue value in reference.conf, empty if it has none
 * @param value value in force, empty if there is none
 * @param origin where the value in force was set
 * @param help comment above the key in reference.conf
 * @param mustAgree whether all ranks of a job must have the same value
 */
@InternalApi
public record Described(
    String key,
    String variable,
    String type,
    String unit,
    String expected,
    String defaultValue,
    String value,
    String origin,
    String help,
    boolean mustAgree) {

  /**
   * A paragraph for a person, in the form of {@code fi_info -e}: comments, then the variable.
   *
   * @source libfabric fi_info(1), option -e
   */
  public String listing() {
    StringBuilder text = new StringBuilder("# ").append(variable).append(": ").append(type);
    if (!unit.isEmpty()) {
      text.append(" (").append(unit).append(')');
    }
    text.append('\n');
    help.lines().forEach(line -> text.append("# ").append(line).append('\n'));
    text.append("# Expected: ").append(expected);
    text.append("; default: ").append(defaultValue.isEmpty() ? "none" : defaultValue);
    text.append(mustAgree ? "; the same in all ranks\n" : "\n");
    if (!value.equals(defaultValue)) {
      text.append("# Set by ").append(origin).append('\n');
    }
    return text.append(variable).append('=').append(value).append('\n').toString();
  }
}
