package io.tagfabric.flow;

import io.tagfabric.flow.window.FlowPace;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.SizeClasses;
import java.util.Map;

/** Settings for flows of tests: short messages and small windows, so that little fills them. */
public final class SmallFlows {
  private static final long MS = 1_000_000L;

  /** Eager up to 1,000 bytes, 64 messages, a window of 16 packets, pings from 1 ms on. */
  public static final FlowSettings SETTINGS =
      new FlowSettings(
          new SizeClasses(1_000, 0, 128 * 1024, 8),
          Map.of(),
          10_000,
          1 << 20,
          64,
          16,
          1 << 20,
          8,
          MS,
          100 * MS,
          8,
          30_000 * MS,
          20_000 * MS,
          FlowPace.DEFAULT);

  /** The same that copies up to 20,000 bytes, with 32 messages. */
  public static final FlowSettings COPYING =
      SETTINGS.withSizes(new SizeClasses(1_000, 20_000, 128 * 1024, 8)).withCredit(10_000, 32);

  private SmallFlows() {}
}
