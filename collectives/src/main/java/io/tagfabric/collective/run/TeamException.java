package io.tagfabric.collective.run;

import io.tagfabric.error.FabricException;
import java.util.List;

/** Why a team can do no collective any more; names the member, also as a number. */
public final class TeamException extends FabricException {
  private static final long serialVersionUID = 1L;

  private final int rank;
  private final boolean isGone;

  @SuppressWarnings("serial") // of List.copyOf
  private final List<Integer> gone;

  TeamException(TeamFailure failure, List<Integer> gone, String message) {
    super(failure.error(), message, failure.cause());
    this.rank = failure.member();
    this.isGone = failure.isGone();
    this.gone = List.copyOf(gone);
  }

  /** The member whose fault or doing it is. */
  public int rank() {
    return rank;
  }

  /** Whether that member has left or is lost; if not, it is alive and the team broken. */
  public boolean isGone() {
    return isGone;
  }

  /**
   * Members known here, at that moment, to have left or to be lost, in order; more may be known
   * later, see {@code Team.gone}.
   */
  public List<Integer> gone() {
    return gone;
  }
}
