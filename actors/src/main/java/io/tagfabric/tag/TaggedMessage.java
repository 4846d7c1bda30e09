package io.tagfabric.tag;

/**
 * A whole received message.
 *
 * @param source index of the sender in the domain's address vector
 * @param tag the tag it was sent with
 * @param hasData whether it carries immediate data
 * @param data the immediate data, 0 if there are none
 * @param payload its bytes
 */
public record TaggedMessage(int source, long tag, boolean hasData, long data, Payload payload) {}
