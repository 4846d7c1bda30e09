package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;

/**
 * Why a team can no longer do collectives.
 *
 * @param member whose fault or doing it is
 * @param error what kind
 * @param detail a phrase that goes on after the member's name
 */
@InternalApi
public record TeamFailure(int member, FabricError error, String detail) {
  /** Whether the member is gone, and not just in disagreement. */
  boolean isLoss() {
    return switch (error) {
      case CONNECTION_RESET,
          CONNECTION_ABORTED,
          CONNECTION_REFUSED,
          HOST_UNREACHABLE,
          TIMED_OUT,
          SHUTDOWN,
          CANCELED,
          IO ->
          true;
      default -> false;
    };
  }
}
