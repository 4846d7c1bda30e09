package io.tagfabric.match;

/**
 * A message that waits.
 *
 * @param source index of the sender in the domain's address vector
 * @param tagged whether it was sent with a tag
 * @param tag the tag it was sent with, 0 if it was sent without
 * @param lengthBytes of the whole message, all of which may not have come yet
 * @param hasData whether the sender added immediate data
 * @param data the immediate data, 0 if there is none
 */
public record MessageInfo(
    int source, boolean tagged, long tag, long lengthBytes, boolean hasData, long data) {
  /** A tagged message without immediate data. */
  public MessageInfo(int source, long tag, long lengthBytes) {
    this(source, true, tag, lengthBytes, false, 0);
  }
}
