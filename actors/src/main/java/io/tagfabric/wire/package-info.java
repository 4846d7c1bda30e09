/**
 * What travels: packets of frames. The layouts are described once, in {@code
 * src/main/sbe/wire.xml}; {@link io.tagfabric.wire.FrameBatch} holds the bytes of one packet,
 * {@link io.tagfabric.wire.FrameWriter} appends frames to it, {@link io.tagfabric.wire.FrameCursor}
 * walks them.
 *
 * <pre>
 *  0       8                                                      80
 *  +-------+------------------------------------------------------+---------+---------+ - -
 *  | SBE   | PacketHeader: incarnation, sequence, acknowledged,   | frame   | frame   |
 *  | header| granted bytes and messages, highest sent, delivered, | (8-byte | (8-byte |
 *  |       | isolation, flow, flags, length                       | aligned)| aligned)|
 *  +-------+------------------------------------------------------+---------+---------+ - -
 * </pre>
 *
 * <p>Plain Java over Agrona buffers; never imports Akka. Byte order is little endian.
 */
package io.tagfabric.wire;
