package io.tagfabric.runtime;

import akka.actor.typed.ActorRef;
import io.tagfabric.annotation.InternalApi;

/**
 * The nodes that a node knows of: who is there, who can be reached, who is gone.
 *
 * <p>What a subscriber hears of one node is in the order in which this node has learned it. Nothing
 * more is promised: news may be late, two nodes may hear them in another order, or hear different
 * ones while the network is cut. Nothing is heard of a node after DOWNED, LEFT or REMOVED but those
 * three, and reachability that was under way. Thread: any.
 */
@InternalApi
public interface Membership {
  /** How far a node has come. */
  enum Status {
    /** There is nothing to be a member of. */
    ALONE,
    /** Not a member yet, and not asked to be one. */
    OUTSIDE,
    /** On its way in; some members may not have seen it. */
    JOINING,
    /** A member, which may be on its way out. */
    MEMBER,
    /** No longer a member, and never again in this life of the node. */
    GONE
  }

  /** This node. */
  NodeId self();

  /** How far this node has come, as it knows. */
  Status status();

  /**
   * Tells an actor of all nodes known now, this one last, and of what happens from now on; until it
   * ends. Without membership it is never told anything.
   */
  void subscribe(ActorRef<MembershipNotice> subscriber);

  /**
   * Asks to be let in, again and again until it is.
   *
   * @param seed address of a node that is in, or its own to be the first
   */
  void join(String seed);

  /** Begins to leave in an orderly way; the others hear LEFT when all know. */
  void leave();

  /** Gives a node up, which may be this one: all hear DOWNED, and the node itself ends. */
  void down(String address);

  /**
   * From now on, and until this node is a member: when the network is cut, the side with most of
   * the nodes goes on and the others end.
   *
   * @param size how many nodes there are to be
   * @param seed whose side goes on if both are of one size
   */
  void keepMajority(int size, String seed);
}
