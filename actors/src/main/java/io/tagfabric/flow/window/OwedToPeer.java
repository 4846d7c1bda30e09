package io.tagfabric.flow.window;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;

/**
 * What this side of a flow owes its peer: acknowledgement of packets, credit for messages and
 * replies that were taken, reports of missing packets. Every packet that leaves pays all but the
 * last.
 *
 * <p>Byte credit is a promise backed by the endpoint's budget: {@code promised} bytes are those the
 * peer may still send and those it has sent that no receive has matched. When half of it is gone, a
 * peer that has never sent is promised a part only: idle peers must not hold it.
 */
@InternalApi
public final class OwedToPeer {
  private static final int ACKNOWLEDGE_DELAY_PINGS = 4;
  private static final int IDLE_SHARE = 8;
  private static final long LEAST_IDLE_BYTES = 64 * 1024;

  private final FlowSettings settings;
  private final UnexpectedBudget budget;
  private final ReceiveWindow arrivals;
  private final int messageCredits;
  private final int acknowledgeEvery;
  private final long creditBytes;
  private final long idleCreditBytes;

  /** A peer that is promised so many is owed no more that would be worth a packet. */
  private final long enoughBytes;

  private long promisedBytes;
  private long consumedBytes;
  private long consumedMessages;
  private long arrivedBytes;
  private long arrivedMessages;
  private long announcedMessages;
  private long announcedReceived;
  private long arrivedReplies;
  private long consumedReplies;
  private long announcedReplies;
  private final ActiveSettings actives;
  private long arrivedActive;
  private long consumedActive;
  private long announcedActive;

  /** Whether what is taken now has come without a packet's header. */
  private boolean bare;

  /** Active requests have come in packets, and not all are paid: so their sender wants it soon. */
  private boolean payActiveSoon;

  private boolean acknowledgeNow;
  private boolean reportMissing;
  private long missingReportedAt = -1;
  private long missingReportedNs;
  private long acknowledgementOwedSinceNs;
  private boolean ended;

  public OwedToPeer(
      FlowSettings settings,
      ActiveSettings actives,
      UnexpectedBudget budget,
      ReceiveWindow arrivals,
      long nowNs) {
    this.settings = settings;
    this.actives = actives;
    this.budget = budget;
    this.arrivals = arrivals;
    messageCredits = settings.messageCredits();
    acknowledgeEvery = settings.acknowledgeEvery();
    creditBytes = settings.eagerCreditBytes();
    enoughBytes = creditBytes - creditBytes / 4;
    idleCreditBytes = Math.min(creditBytes, Math.max(creditBytes / IDLE_SHARE, LEAST_IDLE_BYTES));
    announcedMessages = messageCredits;
    announcedReplies = messageCredits;
    announcedActive = actives.credits();
    missingReportedNs = nowNs - settings.maxPingNs();
  }

  /** Writes everything owed into the header of a packet that leaves. */
  PacketHeaderEncoder pay(PacketHeaderEncoder header) {
    long more = owedBytes();
    if (more > 0) {
      budget.take(more);
      promisedBytes += more;
    }
    announcedMessages = consumedMessages + messageCredits;
    announcedReceived = arrivals.received();
    announcedReplies = consumedReplies + messageCredits;
    announcedActive = consumedActive + actives.credits();
    payActiveSoon &= consumedActive < arrivedActive;
    acknowledgeNow = false;
    return header
        .acknowledged(announcedReceived)
        .grantedBytes((int) (consumedBytes + promisedBytes))
        .grantedMessages((int) announcedMessages)
        .grantedReplies((int) announcedReplies)
        .grantedActive((short) announcedActive);
  }

  /** Byte credit that the peer could get now. */
  private long owedBytes() {
    if (ended) {
      return 0;
    }
    boolean idle = arrivedBytes == 0 && !budget.isPlentiful();
    long target = idle ? idleCreditBytes : creditBytes;
    return Math.min(target - promisedBytes, budget.freeBytes());
  }

  /**
   * A message has come, or its beginning; its bytes are none if they need no credit.
   *
   * @return false if the peer had no credit for it; then it must not be kept
   */
  public boolean arrived(long payloadBytes) {
    if (arrivedMessages >= announcedMessages
        || payloadBytes > consumedBytes + promisedBytes - arrivedBytes) {
      return false;
    }
    arrivedMessages++;
    arrivedBytes += payloadBytes;
    return true;
  }

  /** Why {@link #arrived} was false. */
  public String overdraft(long payloadBytes) {
    return "a message of payloadBytes="
        + payloadBytes
        + " is beyond the credit it was given: arrivedMessages="
        + arrivedMessages
        + " of grantedMessages="
        + announcedMessages
        + ", arrivedBytes="
        + arrivedBytes
        + " of grantedBytes="
        + (consumedBytes + promisedBytes)
        + "; run the same version of Tagfabric everywhere";
  }

  /**
   * A reply has come.
   *
   * @return false if the peer had no credit for it; then it must not be handled
   */
  public boolean replyArrived() {
    if (arrivedReplies >= announcedReplies) {
      return false;
    }
    arrivedReplies++;
    return true;
  }

  /** Why {@link #replyArrived} was false. */
  public String replyOverdraft() {
    return "a reply is beyond the credit it was given: arrivedReplies="
        + arrivedReplies
        + " of grantedReplies="
        + announcedReplies;
  }

  /**
   * An active request has come.
   *
   * @return false if the peer had no credit for it; then it must not be handled
   */
  public boolean activeArrived() {
    if (arrivedActive >= announcedActive) {
      return false;
    }
    arrivedActive++;
    payActiveSoon |= !bare;
    return true;
  }

  /** Why {@link #activeArrived} was false. */
  public String activeOverdraft() {
    return "an active request is beyond the credit it was given: arrivedActive="
        + arrivedActive
        + " of grantedActive="
        + announcedActive;
  }

  public void consumedActive() {
    consumedActive++;
  }

  /**
   * What comes until the next call has a packet's header or has none. A peer that sends a request
   * without one can wait for its credit; it gives a header to those whose credit others wait for.
   */
  public void comesBare(boolean isBare) {
    bare = isBare;
  }

  /** A receive has taken an eager message, or nobody ever will. */
  public void consumedBytes(int payloadBytes) {
    consumedBytes += payloadBytes;
    promisedBytes -= payloadBytes;
    budget.giveBack(payloadBytes);
  }

  public void consumedMessage() {
    consumedMessages++;
  }

  public void consumedReply() {
    consumedReplies++;
  }

  /** A counted packet has come; from the first unacknowledged one on the delay runs. */
  public void packetComes(long nowNs) {
    if (!owesPackets()) {
      acknowledgementOwedSinceNs = nowNs;
    }
  }

  /** The peer must hear from this side with the next flush. */
  public void acknowledgeNow() {
    acknowledgeNow = true;
  }

  /** The peer asks; the answer says what is missing too. */
  public void answer() {
    acknowledgeNow = true;
    reportMissing = true;
  }

  /** A packet came before an earlier one: says so once for each gap. */
  public void earlyPacket() {
    if (missingReportedAt != arrivals.received()) {
      missingReportedAt = arrivals.received();
      answer();
    }
  }

  /** Whether a report of missing packets is due now. */
  public boolean owesReport() {
    return reportMissing && arrivals.hasGap();
  }

  /** A report of missing packets, or an acknowledgement without one, has left. */
  void acknowledged(boolean report, long nowNs) {
    reportMissing = false;
    missingReportedNs = report ? nowNs : missingReportedNs;
  }

  /** Whether a packet should leave even if it carries no frame. */
  public boolean owesAcknowledgement() {
    return owesForMessages()
        || acknowledgeNow
        || arrivals.received() - announcedReceived >= acknowledgeEvery
        || owesCredit(consumedReplies, announcedReplies, arrivedReplies)
        || consumedActive + actives.credits() - announcedActive > actives.slack();
  }

  /** The same of all that a message changes which was taken. */
  public boolean owesForMessages() {
    return owesCredit(consumedMessages, announcedMessages, arrivedMessages)
        || (promisedBytes < enoughBytes && owedBytes() > creditBytes / 4);
  }

  /**
   * Whether so much is owed that a packet which leaves anyway should pay it: half of what would
   * make a packet leave for that alone.
   */
  boolean isWorthPaying() {
    return acknowledgeNow
        || reportMissing
        || 2 * (arrivals.received() - announcedReceived) >= acknowledgeEvery
        || owedBytes() > creditBytes / 8
        || isWorthPaying(consumedMessages, announcedMessages, arrivedMessages)
        || isWorthPaying(consumedReplies, announcedReplies, arrivedReplies)
        || isActiveWorthPaying();
  }

  private boolean isActiveWorthPaying() {
    long owed = consumedActive + actives.credits() - announcedActive;
    boolean soon = payActiveSoon || 2 * (announcedActive - arrivedActive) <= actives.credits();
    return (soon && owed > 0) || 2 * owed > actives.slack();
  }

  private boolean isWorthPaying(long consumed, long announced, long arrived) {
    int quarter = messageCredits / 4;
    long owed = consumed + messageCredits - announced;
    return 2 * owed > quarter || (owed > 0 && announced - arrived <= 2L * quarter);
  }

  /** Enough to be worth a packet, or the sender is about to stall for it. */
  private boolean owesCredit(long consumed, long announced, long arrived) {
    int quarter = messageCredits / 4;
    long owed = consumed + messageCredits - announced;
    return owed > quarter || (owed > 0 && announced - arrived <= quarter);
  }

  public boolean mustAcknowledgeNow() {
    return acknowledgeNow;
  }

  /** Whether packets have come that no packet of ours has acknowledged. */
  public boolean owesPackets() {
    return arrivals.received() != announcedReceived;
  }

  /** When the acknowledgement is due that waits for a packet to ride in. */
  public long acknowledgeAtNs() {
    return acknowledgementOwedSinceNs + ACKNOWLEDGE_DELAY_PINGS * settings.pingNs();
  }

  /**
   * The timer's part.
   *
   * @param patienceNs distance of reports of the same gap
   * @return whether something is due now
   */
  public boolean tick(long nowNs, long patienceNs) {
    boolean due = false;
    if (owesPackets() && nowNs - acknowledgeAtNs() >= 0) {
      acknowledgeNow = true;
      due = true;
    }
    if (arrivals.hasGap() && nowNs - missingReportedNs >= patienceNs) {
      reportMissing = true;
      due = true;
    }
    return due;
  }

  /** The flow has ended: what was promised and not used is free; what has come is still held. */
  public void end() {
    ended = true;
    long unused = promisedBytes - (arrivedBytes - consumedBytes);
    promisedBytes -= unused;
    budget.giveBack(unused);
  }
}
