package io.tagfabric.trials.fabtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CatalogueTest {
  /** The tests of fabtests: functional, unit, multinode, benchmarks. */
  private static final List<String> FABTESTS =
      List.of(
          "rdm",
          "msg",
          "dgram",
          "loopback",
          "unexpected_msg",
          "recv_cancel",
          "rdm_tagged_peek",
          "multi_recv",
          "resmgmt_test",
          "inject_test",
          "cq_data",
          "av_xfer",
          "rdm_rma_trigger",
          "rdm_deferred_wq",
          "rdm_rma_event",
          "rdm_atomic",
          "scalable_ep",
          "shared_ctx",
          "multi_ep",
          "multi_mr",
          "rdm_multi_domain",
          "rdm_multi_client",
          "rdm_shared_av",
          "rdm_stress",
          "flood",
          "unmap_mem",
          "msg_epoll",
          "msg_sockets",
          "cm_data",
          "mcast",
          "cq_test",
          "cntr_test",
          "av_test",
          "eq_test",
          "getinfo_test",
          "mr_test",
          "dom_test",
          "setopt_test",
          "mr_cache_evict",
          "fi_multinode",
          "fi_multinode_coll",
          "dgram_pingpong",
          "msg_pingpong",
          "rdm_pingpong",
          "rdm_tagged_pingpong",
          "rdm_cntr_pingpong",
          "rdm_bw",
          "rdm_tagged_bw",
          "rdm_bw_mt",
          "rma_bw",
          "rma_pingpong",
          "rma_tx_completion",
          "ubertest");

  private static Stream<String> all(String what) {
    return Stream.concat(
        Catalogue.ALL.stream().map(each -> what.equals("name") ? each.name() : each.like()),
        NotYet.ALL.stream().map(each -> what.equals("name") ? each.name() : each.like()));
  }

  @Test
  void shouldRunOrRefuseEveryTestOfFabtests() {
    Set<String> known = all("like").map(like -> like.split(" ")[0]).collect(Collectors.toSet());

    assertThat(known).containsAll(FABTESTS);
  }

  @Test
  void shouldNameEachOnceAndGiveAReasonForWhatDoesNotRun() {
    assertThat(all("name"))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[a-z0-9-]{2,18}"));
    assertThat(NotYet.ALL).noneMatch(each -> each.reason().isBlank());
  }

  @Test
  void shouldHaveTheSetsThatPeopleAskFor() {
    assertThat(Catalogue.sets())
        .contains(
            "cm",
            "tagged",
            "msg",
            "multi-recv",
            "peek",
            "counter",
            "trigger",
            "shared",
            "scalable",
            "dgram",
            "inject",
            "order",
            "size",
            "env",
            "rma",
            "atomic");
  }
}
