/** The provider aeron beyond what the contract says. */
package io.tagfabric.provider.aeron;
