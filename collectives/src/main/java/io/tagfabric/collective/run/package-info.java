/**
 * Runs collectives for one member of a team: {@link io.tagfabric.collective.run.ScheduleRunner}
 * takes {@link io.tagfabric.collective.run.CollectiveCall}s and carries them by messages, or inside
 * one JVM by shared memory. {@link io.tagfabric.collective.run.CollectiveTags} is the one number
 * space of all messages that collectives send.
 */
package io.tagfabric.collective.run;
