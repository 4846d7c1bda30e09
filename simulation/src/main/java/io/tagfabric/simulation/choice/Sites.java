package io.tagfabric.simulation.choice;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The sites that one run has armed, and how often each has fired. */
public final class Sites {
  private static final int PERCENT_ARMED = 40;

  private final Choices choices;
  private final Map<Site, Integer> perMille = new EnumMap<>(Site.class);
  private final Map<Site, Integer> fired = new EnumMap<>(Site.class);
  private boolean on = true;

  /** No site is armed. */
  public Sites(Choices choices) {
    this.choices = choices;
  }

  /** Arms some sites by chance, with probabilities up to these, in thousandths. */
  public void draw(Site site, int mostPerMille) {
    if (choices.below(100) >= 100 - PERCENT_ARMED) {
      arm(site, choices.between(1, mostPerMille));
    }
  }

  /** Arms a site with a probability in thousandths; 0 takes it away. */
  public void arm(Site site, int probabilityPerMille) {
    perMille.put(site, probabilityPerMille);
  }

  /** Whether a site is armed. */
  public boolean isArmed(Site site) {
    return probability(site) > 0;
  }

  private int probability(Site site) {
    Integer armed = perMille.get(site);
    return armed == null ? 0 : armed;
  }

  /** Whether a fault happens here and now. */
  public boolean fires(Site site) {
    int probability = probability(site);
    if (!on || probability == 0 || !choices.happens(probability)) {
      return false;
    }
    fired.merge(site, 1, Integer::sum);
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
    return fired.getOrDefault(site, 0);
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
                    .append(String.format(Locale.ROOT, "=%.1f%%", probability(site) / 10.0)));
    return text.isEmpty() ? "none" : text.toString();
  }
}
