package io.tagfabric.kryo;

import com.esotericsoftware.kryo.util.Pool;

/** Idle workers for any thread; a worker in use belongs to the thread that obtained it. */
final class KryoPool {
  private final Pool<KryoWorker> pool;

  KryoPool(KryoRegistrations registrations, KryoSettings settings) {
    pool =
        new Pool<>(true, false, settings.poolSize()) {
          @Override
          protected KryoWorker create() {
            return new KryoWorker(registrations.newKryo(settings.maxDepth()), settings);
          }
        };
  }

  KryoWorker obtain() {
    return pool.obtain();
  }

  /** Takes a worker back unless an {@link Error} interrupted it. */
  void free(KryoWorker worker) {
    if (worker.rest()) {
      pool.free(worker);
    }
  }

  int idle() {
    return pool.getFree();
  }
}
