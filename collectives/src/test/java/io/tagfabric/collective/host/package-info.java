/** Tests of the memory in which members of one host meet. */
package io.tagfabric.collective.host;
