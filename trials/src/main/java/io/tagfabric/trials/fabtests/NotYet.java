package io.tagfabric.trials.fabtests;

import java.util.List;

/**
 * What fabtests checks and Tagfabric has not, with the reason. The one place: what gets built
 * leaves this table and comes back as a {@link Scenario}.
 *
 * @param name unique, also among scenarios
 */
record NotYet(String name, String set, String like, String reason) {
  private static final String TRIGGERED = "a counter starts messages, not accesses to memory yet";
  private static final String NO_CONNECTIONS =
      "there are no connected endpoints: the first message sets up a flow";

  static final List<NotYet> ALL =
      List.of(
          new NotYet("rma-trigger", "trigger", "rdm_rma_trigger", TRIGGERED),
          new NotYet("connect", "cm", "msg", NO_CONNECTIONS),
          new NotYet("msg-pingpong", "cm", "msg_pingpong", NO_CONNECTIONS),
          new NotYet("passive", "cm", "msg_sockets", NO_CONNECTIONS),
          new NotYet("cm-data", "cm", "cm_data", NO_CONNECTIONS),
          new NotYet(
              "event-queue",
              "cm",
              "eq_test",
              "there are no event queues: events are messages to actors"),
          new NotYet(
              "epoll",
              "cq",
              "msg_epoll",
              "completions come to threads and actors, there is no descriptor to poll"),
          new NotYet("multicast", "dgram", "mcast", "there is no multicast, a team broadcasts"),
          new NotYet(
              "mr-cache",
              "rma",
              "mr_cache_evict",
              "registering costs nothing, so nothing is cached"));
}
