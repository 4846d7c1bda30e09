/** Code that takes time, chance and threads from where it likes. */
package io.tagfabric.architecture.example.outside;
