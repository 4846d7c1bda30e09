/** The command {@code simulate}, and that it finds defects. */
package io.tagfabric.trials.simulate;
