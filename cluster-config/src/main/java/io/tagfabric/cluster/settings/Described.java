package io.tagfabric.cluster.settings;

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
    boolean mustAgree) {}
