/**
 * Runs schedules over endpoints. {@link io.tagfabric.collective.run.CollectiveTags} is the one
 * number space of all messages that collectives send.
 */
package io.tagfabric.collective.run;
