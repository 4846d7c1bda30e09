/** Helpers of tests in several packages. */
package io.tagfabric.support;
