/**
 * What travels: packets of frames. The layouts are described once, in {@code
 * src/main/sbe/wire.xml}; {@link io.tagfabric.wire.Packet} holds the bytes of one packet, {@link
 * io.tagfabric.wire.FrameWriter} appends frames to it, {@link io.tagfabric.wire.FrameCursor} walks
 * them, and {@link io.tagfabric.wire.FrameServices} says which service takes which kind.
 *
 * <pre>
 *  0        8              56
 *  +--------+--------------+-------+-------+- -
 *  | header | PacketHeader | frame | frame |     each begins with a header of its own
 *  +--------+--------------+-------+-------+- -  and is padded to a multiple of 8 bytes
 * </pre>
 *
 * <p>Plain Java over Agrona buffers; never imports Akka. Byte order is little endian.
 */
package io.tagfabric.wire;
