/**
 * What the tests of several modules need that start JVMs or listen on ports: entry classes {@link
 * io.tagfabric.jvms.ClassArchive} and {@link io.tagfabric.jvms.TestPorts}. Each of these modules
 * compiles the package with its own tests.
 */
package io.tagfabric.jvms;
