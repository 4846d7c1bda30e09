/**
 * Memory that peers read, write and update: regions, what a peer may do with them, and the target's
 * side of each access. It checks all that a peer's frame says; the asker's side is of {@code flow}
 * and {@code access}. Enter at {@link io.tagfabric.memory.Region}.
 *
 * <p>May import {@code cluster.settings}, {@code complete}, {@code error}, {@code progress}, {@code
 * provider}, {@code runtime}, {@code trace}, {@code wire} and {@code wire.sbe}.
 *
 * @source libfabric fi_mr(3), fi_rma(3), fi_atomic(3)
 */
package io.tagfabric.memory;
