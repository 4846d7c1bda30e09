package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;
import java.util.Map;

/** What all threads of the JVM do now, for people. */
@InternalApi
public final class ThreadPicture {
  private ThreadPicture() {}

  /** A line for each thread with its state, and below it one for each call. Thread: any. */
  public static String take() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
      text.append("  ").append(each.getKey().getName());
      text.append(" [").append(each.getKey().getState()).append("]\n");
      for (StackTraceElement frame : each.getValue()) {
        text.append("    at ").append(frame).append('\n');
      }
    }
    return text.toString().stripTrailing();
  }
}
