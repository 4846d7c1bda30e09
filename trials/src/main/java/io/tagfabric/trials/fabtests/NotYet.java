package io.tagfabric.trials.fabtests;

import java.util.List;

/**
 * What fabtests checks and Tagfabric has not, with the reason. The one place: what gets built
 * leaves this table and comes back as a {@link Scenario}.
 *
 * @param name unique, also among scenarios
 */
record NotYet(String name, String set, String like, String reason) {
  private static final String MEMORY = "remote memory is not there yet";
  private static final String NO_CONNECTIONS =
      "there are no connected endpoints: the first message sets up a flow";

  static final List<NotYet> ALL =
      List.of(
          new NotYet("rma-trigger", "trigger", "rdm_rma_trigger", MEMORY),
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
          new NotYet("rma", "rma", "rma_bw", MEMORY),
          new NotYet("rma-pingpong", "rma", "rma_pingpong", MEMORY),
          new NotYet("rma-tx-completion", "rma", "rma_tx_completion", MEMORY),
          new NotYet("rma-event", "rma", "rdm_rma_event", MEMORY),
          new NotYet("rma-cq-data", "rma", "cq_data", MEMORY),
          new NotYet("multi-mr", "rma", "multi_mr", MEMORY),
          new NotYet("mr", "rma", "mr_test", MEMORY),
          new NotYet(
              "mr-cache", "rma", "mr_cache_evict", "nothing is registered, so nothing is cached"),
          new NotYet("mesh-rma", "rma", "fi_multinode -x rma", MEMORY),
          new NotYet("atomic", "atomic", "rdm_atomic", MEMORY));
}
