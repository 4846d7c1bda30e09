package io.tagfabric.provider;

/**
 * What a provider can do; flows adapt to it.
 *
 * @param reach how far it reaches; commands show and try providers in this order
 * @param reaches for people: which peers it reaches
 * @param reliable packets arrive once, whole and in the order offered, or the channel is closed;
 *     flows then keep no copies for replay
 * @param maxPacketBytes longest packet, header included
 */
public record ProviderCapabilities(
    Reach reach, String reaches, boolean reliable, int maxPacketBytes) {
  /** The same over a network that loses packets. */
  public ProviderCapabilities unreliable() {
    return new ProviderCapabilities(reach, reaches, false, maxPacketBytes);
  }
}
