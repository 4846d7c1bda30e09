/** Marked as a whole, for the tests of the checkers. */
@InternalApi
package io.tagfabric.architecture.example.surface.inside;

import io.tagfabric.annotation.InternalApi;
