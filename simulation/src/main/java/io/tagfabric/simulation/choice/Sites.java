package io.tagfabric.simulation.choice;

import java.util.Arrays;
import java.util.Locale;

/** The sites that one run has armed, and how often each has fired. */
public final class Sites {
  private static final int PERCENT_ARMED = 40;

  private final Choices choices;
  private final int[] perMille = new int[Site.values().length];
  private final int[] fired = new int[Site.values().length];
  private boolean on = true;

  /** No site is armed. */
  public Sites(Choices choices) {
    this.choices = choices;
  }

  /** Arms some sites by chance, with probabilities up to these, in thousandths. */
  public void draw(Site site, int mostPerMille) {
    if (choices.below(100) >= 100 - PERCENT_ARMED) {
      perMille[site.ordinal()] = choices.between(1, mostPerMille);
    }
  }

  /** Arms a site with a probability in thousandths; 0 takes it away. */
  public void arm(Site site, int probabilityPerMille) {
    perMille[site.ordinal()] = probabilityPerMille;
  }

  /** Whether a site is armed. */
  public boolean isArmed(Site site) {
    return perMille[site.ordinal()] > 0;
  }

  /** Whether a fault happens here and now. */
  public boolean fires(Site site) {
    int probability = perMille[site.ordinal()];
    if (!on || probability == 0 || !choices.happens(probability)) {
      return false;
    }
    fired[site.ordinal()]++;
    return true;
  }

  /** From now on no site fires. */
  public void off() {
    on = false;
  }

  /** Ends {@link #off}. */
  public void on() {
    on = true;
  }

  /** Whether sites may fire. */
  public boolean areOn() {
    return on;
  }

  /** How often a site has fired. */
  public int fired(Site site) {
    return fired[site.ordinal()];
  }

  /** The armed sites with their probabilities. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    Arrays.stream(Site.values())
        .filter(this::isArmed)
        .forEach(
            site ->
                text.append(text.isEmpty() ? "" : " ")
                    .append(site.label())
                    .append(
                        String.format(Locale.ROOT, "=%.1f%%", perMille[site.ordinal()] / 10.0)));
    return text.isEmpty() ? "none" : text.toString();
  }
}
