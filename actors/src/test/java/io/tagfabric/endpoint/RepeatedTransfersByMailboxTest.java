package io.tagfabric.endpoint;

/** The same when the loop hands over by mailboxes, which take some kinds of messages only. */
class RepeatedTransfersByMailboxTest extends RepeatedTransfersTest {
  @Override
  String handOver() {
    return "mailbox";
  }
}
