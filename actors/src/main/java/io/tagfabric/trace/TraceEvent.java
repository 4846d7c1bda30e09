package io.tagfabric.trace;

/**
 * One event of a recording. What the fields hold depends on the kind.
 *
 * @param timeNs on the clock of the domain's loop
 * @param kind what has happened
 * @param how a detail of it
 * @param thread the name of the thread that had the loop
 * @param flow names one direction of a flow, the same on both sides
 * @param number of the message in it, from 1 on, the same on both sides
 * @param operation of this loop, from 1 on; 0 for none
 * @param tag of the message or the receive
 * @param length bytes, or a count
 * @param extra see {@link TraceKind}
 * @param peer index in the domain's address vector, -1 for any
 * @param endpoint number of the endpoint in its ActorSystem, 0 if unknown
 * @param text of a note; empty for other kinds
 */
public record TraceEvent(
    long timeNs,
    TraceKind kind,
    int how,
    String thread,
    long flow,
    long number,
    long operation,
    long tag,
    long length,
    long extra,
    int peer,
    int endpoint,
    String text) {}
