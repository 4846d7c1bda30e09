/**
 * Typed settings under {@code tagfabric.}: one {@link io.tagfabric.cluster.settings.Setting} a key,
 * read and checked by {@link io.tagfabric.cluster.settings.Settings}.
 *
 * <p>Entry: {@link io.tagfabric.cluster.settings.Settings#of}. Imports Typesafe Config and nothing
 * else. A key's meaning, unit and default stand above it in {@code reference.conf} and nowhere
 * else; the command line prints them from there.
 */
package io.tagfabric.cluster.settings;
