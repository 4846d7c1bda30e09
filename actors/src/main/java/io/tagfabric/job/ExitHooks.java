package io.tagfabric.job;

import io.tagfabric.exit.ExitNotice;
import io.tagfabric.runtime.ProcessEnded;
import io.tagfabric.runtime.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an application wants done when its job ends; done once. Thread: any. */
final class ExitHooks {
  private static final Logger LOG = LoggerFactory.getLogger(Job.class);

  private final List<Consumer<ExitNotice>> hooks = new ArrayList<>();
  private final Threads threads;
  private Thread running;
  private boolean over;

  ExitHooks(Threads threads) {
    this.threads = threads;
  }

  synchronized void add(Consumer<ExitNotice> hook) {
    hooks.add(hook);
  }

  /** Runs them, in the order they were added, on a thread of their own. */
  synchronized void run(ExitNotice notice, Runnable whenDone) {
    List<Consumer<ExitNotice>> all = List.copyOf(hooks);
    if (all.isEmpty()) {
      whenDone.run();
      return;
    }
    running =
        threads.start(
            "tagfabric-exit-hooks",
            () -> {
              all.forEach(hook -> run(hook, notice));
              whenDone.run();
            });
  }

  /** Interrupts those that still run. */
  synchronized void giveUp() {
    over = true;
    if (running != null) {
      running.interrupt();
    }
  }

  private void run(Consumer<ExitNotice> hook, ExitNotice notice) {
    synchronized (this) {
      if (over) {
        return;
      }
    }
    try {
      hook.accept(notice);
    } catch (ProcessEnded ended) {
      throw ended;
    } catch (RuntimeException | Error failure) {
      LOG.warn("an exit hook failed", failure);
    }
  }
}
