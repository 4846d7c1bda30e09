/**
 * What one rank does in a collective, as data: {@link io.tagfabric.collective.schedule.Schedule},
 * made of rounds of steps by a {@link io.tagfabric.collective.schedule.ScheduleBuilder}. Knows
 * nothing of operators, endpoints or Akka. Source: libfabric's collective provider, whose work
 * items are send, receive, reduce and copy.
 */
package io.tagfabric.collective.schedule;
