package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.fabric.Domain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Many endpoints in some domains that all send one message to each other; flows begin here. */
final class Crowd {
  private final List<Side> all = new ArrayList<>();
  private final int[][] indexOf;

  Crowd(List<Domain> homes, int count) {
    for (int i = 0; i < count; i++) {
      Domain home = homes.get(i % homes.size());
      all.add(new Side(home, "all-" + i, 2 * count, home.endpointDefaults()));
    }
    indexOf = new int[count][count];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        indexOf[i][j] = all.get(i).indexOf(all.get(j));
      }
    }
  }

  /** Sends messages of a length, and checks that each has come. */
  void meet(int length, int window) {
    int count = all.size();
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        all.get(i).post(indexOf[i][j], length, j, 0);
      }
    }
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        all.get(i).send(indexOf[i][j], Side.pattern(length, i), i, CompletionLevel.DELIVERY);
        if (j % window == 0) {
          all.forEach(Side::poll);
        }
      }
    }
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
    while (!all.stream().allMatch(each -> each.hasEnded(count))) {
      assertThat(System.nanoTime() - deadlineNs)
          .as("everybody has heard of everybody")
          .isNegative();
      all.forEach(Side::poll);
      Thread.yield();
    }
    for (Side side : all) {
      assertThat(side.sent).allMatch(each -> each instanceof Completion.Sent);
      for (Completion each : side.received) {
        Completion.Received received = (Completion.Received) each;
        byte[] bytes = Arrays.copyOf((byte[]) received.context(), (int) received.length());
        assertThat(bytes).isEqualTo(Side.pattern(length, received.tag()));
      }
    }
  }
}
