package io.tagfabric.launch;

import io.tagfabric.cluster.host.ProcessId;
import io.tagfabric.cluster.host.StartPhase;
import io.tagfabric.launch.output.TextSink;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Ranks that are children of this process, with the job's directory and media driver. */
final class LocalHost implements RankHost {
  private final JobResources resources;
  private final boolean pipedInput;
  private final boolean keep;
  private final Map<Integer, SharedJvm> jvms = new HashMap<>();
  private final CompletableFuture<String> failure = new CompletableFuture<>();

  /**
   * @param pipedInput whether a rank that wants input gets it through {@link RankProcess#input},
   *     not by this process' own standard input
   * @param keep whether the job's files outlive the job; then the commands of its ranks are there
   */
  LocalHost(JobResources resources, boolean pipedInput, boolean keep) {
    this.resources = resources;
    this.pipedInput = pipedInput;
    this.keep = keep;
    if (keep) {
      resources.directory().keep();
    }
  }

  @Override
  public String suffix() {
    return "";
  }

  @Override
  public RankHandle start(RankCommand command, boolean input, TextSink out, TextSink err) {
    if (!command.isShared()) {
      return startProcess(command, input, out, err);
    }
    int first = command.together().get(0);
    SharedJvm jvm = jvms.get(first);
    if (jvm == null) {
      jvm = SharedJvm.start(command, input);
      jvms.put(first, jvm);
      started(command, jvm.id());
    }
    return jvm.add(command.rank(), out, err);
  }

  /** Starts a rank with a process of its own. */
  RankProcess startProcess(RankCommand command, boolean input, TextSink out, TextSink err) {
    RankProcess.Input kind = pipedInput ? RankProcess.Input.PIPED : RankProcess.Input.INHERITED;
    RankProcess rank = RankProcess.start(command, input ? kind : RankProcess.Input.NONE, out, err);
    started(command, rank.id());
    return rank;
  }

  private void started(RankCommand command, ProcessId process) {
    resources.add(process);
    if (keep) {
      resources.directory().append("commands", command.shellLine() + "\n");
    }
  }

  @Override
  public void awaitReady() throws InterruptedException {
    if (resources.driver().isPresent()) {
      MediaDriverProcess driver = resources.driver().get();
      driver.awaitReady();
      driver
          .onExit()
          .thenAccept(
              process ->
                  failure.complete(
                      "the media driver has ended, the ranks cannot talk any more"
                          + driver.said()));
    }
  }

  @Override
  public CompletionStage<String> failure() {
    return failure;
  }

  @Override
  public void noteEnded(int rank, int code) {
    resources.directory().endedRanks().add(rank, code);
  }

  @Override
  public boolean isFormed() {
    return resources.directory().isFormed();
  }

  @Override
  public OptionalInt endingCode() {
    return resources.directory().endingCode();
  }

  @Override
  public Map<Integer, StartPhase> phases() {
    return resources.directory().phases();
  }

  @Override
  public void close() {
    resources.close();
  }
}
