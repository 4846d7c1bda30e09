package io.tagfabric.provider;

/**
 * What a provider can do; flows adapt to it.
 *
 * @param reaches for people: which peers it reaches
 * @param reliable packets arrive once, whole and in the order offered, or the channel is closed;
 *     flows then keep no copies for replay
 * @param maxPacketBytes longest packet, header included
 */
public record ProviderCapabilities(String reaches, boolean reliable, int maxPacketBytes) {}
