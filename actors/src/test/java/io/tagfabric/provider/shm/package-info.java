/** What shared memory owes beyond the contract: full rings, the dead, the bell, files. */
package io.tagfabric.provider.shm;
