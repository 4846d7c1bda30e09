/**
 * One time line of what the recorders of a job have written: as text, and as files for trace
 * viewers.
 *
 * <p>{@link io.tagfabric.timeline.Timeline} gathers the parts; {@link
 * io.tagfabric.timeline.TimelineText}, {@link io.tagfabric.timeline.PerfettoWriter}, {@link
 * io.tagfabric.timeline.ChromeWriter} and, for a page of its own, {@link
 * io.tagfabric.timeline.PageWriter} write them.
 */
package io.tagfabric.timeline;
