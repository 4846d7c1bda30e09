package io.tagfabric.job;

/** What ranks tell each other; written by {@link JobMessageSerializer}. */
interface JobMessage {}
