package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;

/**
 * Barrier by {@link Dissemination}: {@code ceil(lg p)} steps, in each every rank sends one empty
 * message.
 *
 * @source Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", IJPP 17(1), 1988
 */
final class DisseminationBarrier implements Algorithm {
  @Override
  public String key() {
    return "dissemination";
  }

  @Override
  public Collective collective() {
    return Collective.BARRIER;
  }

  @Override
  public Schedule schedule(Shape shape) {
    Dissemination partners = new Dissemination(shape.rank(), shape.size());
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    for (int round = 0; round < partners.rounds(); round++) {
      builder.signal(partners.to(round)).awaitSignal(partners.from(round)).nextRound();
    }
    return builder.build();
  }
}
