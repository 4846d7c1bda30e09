package io.tagfabric.name;

/** What name services tell each other; written by {@link NameMessageSerializer}. */
interface NameMessage {}
