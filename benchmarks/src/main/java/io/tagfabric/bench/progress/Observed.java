package io.tagfabric.bench.progress;

/** How much is seen of a job, from nothing on. */
enum Observed {
  OFF("off", false, 0),
  RECORDED("recorded", true, 0),
  ONE_PAGE("one page", true, 1),
  TWO_PAGES("two pages", true, 2);

  private final String label;
  private final boolean recorded;
  private final int pages;

  Observed(String label, boolean recorded, int pages) {
    this.label = label;
    this.recorded = recorded;
    this.pages = pages;
  }

  String label() {
    return label;
  }

  /** Whether the domains record their events. */
  boolean recorded() {
    return recorded;
  }

  /** How many pages a server shows them on. */
  int pages() {
    return pages;
  }
}
