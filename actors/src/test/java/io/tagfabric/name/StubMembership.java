package io.tagfabric.name;

import akka.actor.typed.ActorRef;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.NodeId;

/** Membership that tells nothing by itself, of a node that has come as far as a test says. */
final class StubMembership implements Membership {
  private final Node self;
  private volatile Status status;

  StubMembership(Node self, Status status) {
    this.self = self;
    this.status = status;
  }

  void status(Status newStatus) {
    status = newStatus;
  }

  @Override
  public NodeId self() {
    return new NodeId(self.address(), self.incarnation());
  }

  @Override
  public Status status() {
    return status;
  }

  @Override
  public void subscribe(ActorRef<MembershipNotice> subscriber) {}

  @Override
  public void join(String seed) {
    throw new AssertionError("joins " + seed);
  }

  @Override
  public void leave() {
    throw new AssertionError("leaves");
  }

  @Override
  public void down(String address) {
    throw new AssertionError("downs " + address);
  }

  @Override
  public void keepMajority(int size, String seed) {
    throw new AssertionError("keeps a majority of " + size);
  }
}
