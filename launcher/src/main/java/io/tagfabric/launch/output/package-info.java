/**
 * What ranks print, on its way to files and to the launcher's own streams.
 *
 * <p>Entry: {@link io.tagfabric.launch.output.Screen}. It goes through a {@code StreamCopier} each
 * to a {@code RankSink}, which is a file ({@code FileSink}) or lines of the {@code Screen} ({@code
 * LineWriter}). Only the two threads of the screen ({@code StreamWriter}) ever write to a stream of
 * the launcher: the thread that signals ranks must not wait for a reader. May import {@code
 * cluster.host}, for {@code RecordOutput}, whose records a line of output may be.
 */
package io.tagfabric.launch.output;
