/**
 * Explores what threads do together: all interleavings of small step models whose stores may become
 * visible late, as processors and the Java memory model allow, and whose processes may be killed
 * between any two steps. {@link io.tagfabric.explore.Explorer} is the entry; {@link
 * io.tagfabric.explore.CodeListing} compares a model with the class it stands for. Test code of
 * actors and of collectives; plain Java and ASM.
 *
 * <p>Source: Sewell and others, "x86-TSO: a rigorous and usable programmer's model for x86
 * multiprocessors", CACM 53(7), 2010; JEP 188; JLS 17.4.
 */
package io.tagfabric.explore;
