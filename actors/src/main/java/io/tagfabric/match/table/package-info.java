/**
 * The tables that pair messages with receives: {@link io.tagfabric.match.table.MatchTable}.
 *
 * <p>May import {@code tag}.
 *
 * @source PSM3 matched queues; MPI-4.1 §3.5
 */
@InternalApi
package io.tagfabric.match.table;

import io.tagfabric.annotation.InternalApi;
