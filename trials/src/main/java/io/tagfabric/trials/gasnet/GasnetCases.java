package io.tagfabric.trials.gasnet;

import java.util.List;
import java.util.Optional;

/** All cases, in the order in which they run. */
final class GasnetCases {
  static final List<GasnetCase> ALL =
      List.of(
          new GasnetCase(
              "core1",
              "testcore1",
              1,
              "short requests that mediums answer, all at once",
              ActiveCases::flood),
          new GasnetCase(
              "core2",
              "testcore2",
              1,
              "mediums, fixed and negotiated, and longs up to the longest, byte by byte",
              ActiveCases::integrity),
          new GasnetCase(
              "core3",
              "testcore3",
              1,
              "errors, replies after the call, requests without a reply",
              ActiveCases::rules),
          new GasnetCase(
              "core4",
              "testcore4",
              1,
              "each number of arguments with each kind of request and reply",
              ActiveCases::counts),
          new GasnetCase(
              "token",
              "testtoken",
              1,
              "handlers know who has asked, and where a long lies",
              ActiveCases::token),
          new GasnetCase(
              "imm",
              "testimm",
              1,
              "what is accepted at once comes, and no more",
              ActiveCases::immediate),
          new GasnetCase(
              "alltoall",
              "testalltoall",
              1,
              "random ranks and sizes, with and without replies",
              ActiveCases::allToAll),
          new GasnetCase(
              "env", "testenv", 1, "all ranks have the same environment", ActiveCases::environment),
          new GasnetCase(
              "progthr",
              "testprogthr",
              2,
              "deferred progress threads start in reverse order, one never",
              ProgressThreads::run));

  private GasnetCases() {}

  static List<String> names() {
    return ALL.stream().map(GasnetCase::name).toList();
  }

  static Optional<GasnetCase> find(String name) {
    return ALL.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
