package io.tagfabric.stream;

import akka.util.ByteString;

/**
 * A message for {@link TagfabricStreams#flow}.
 *
 * @param peer index in the domain's address vector
 * @param tag what the receiver selects by
 * @param bytes the payload; a compact one is not copied
 */
public record OutgoingMessage(int peer, long tag, ByteString bytes) {}
