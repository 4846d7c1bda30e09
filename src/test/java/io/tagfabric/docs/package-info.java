/** The code that the pages in {@code docs} show, and the tests that keep both equal. */
package io.tagfabric.docs;
