/**
 * The end of a whole job, begun by any rank: which rank leads it, which code it has, and when it is
 * over.
 *
 * <p>Entry: {@link io.tagfabric.exit.ExitProtocol}. May import {@code cluster.job}, {@code
 * progress} and {@code runtime}; knows neither actors nor threads nor clocks, except the {@link
 * io.tagfabric.exit.Watchdog}, which is a thread. {@code job.ExitCoordinator} is the actor around
 * it.
 *
 * <pre>
 *              exit(TOGETHER)               all heard
 *   RUNNING ─────────────────► REDUCING ─────────────────► DECIDED ── hooks over ──► ENDED
 *      │  │ exit(NOW)             │ T is over                 ▲  ▲
 *      │  └───────────────► ELECTING ◄──┐ leader lost         │  │
 *      │ exit(SIGNAL)       ▲   │  │    │                     │  │
 *      ▼     hooks over     │   │  └► FOLLOWING ── ExitRequest┘  │
 *   ASKING ─────────────────┘   ├───► LEADING ──── all replied ──┘
 *                               │        ▲ all have promised, or have had their time
 *                               └──► PREPARING
 *
 *   any of them ── ExitRequest ──► DECIDED        any of them ── 2 T ──► DECIDED, not graceful
 * </pre>
 *
 * @source GASNet 1.8.1 (gasnet_exit); ibv-conduit README, "Graceful exits"
 */
package io.tagfabric.exit;
