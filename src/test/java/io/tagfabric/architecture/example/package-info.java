/** Code that breaks each rule once, for the tests of the checkers; it never runs. */
package io.tagfabric.architecture.example;
