/** Half of a bad example. */
package io.tagfabric.architecture.example.provider.second;
