/** The kernel under crashes, faults and races: a deterministic simulation of the real use cases. */
@NullMarked
package io.actiongovernance.simulation;

import org.jspecify.annotations.NullMarked;
