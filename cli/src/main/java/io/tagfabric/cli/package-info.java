/**
 * The command {@code tagfabric}: starts jobs and finds the programs and commands of the other
 * modules.
 *
 * <p>Entry: {@link io.tagfabric.cli.Tagfabric}. A module adds a program or a command by one line in
 * its resource {@code META-INF/tagfabric/programs} or {@code META-INF/tagfabric/commands}, see
 * {@link io.tagfabric.cli.Registry}; a command's class loads only when it is called.
 */
package io.tagfabric.cli;
