/** Types whose place in the surface is wrong, for the tests of the checkers. */
package io.tagfabric.architecture.example.surface;
