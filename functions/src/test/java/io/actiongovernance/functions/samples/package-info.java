/**
 * Sample requests: one of each route, and what must exist before. The build makes them for the
 * examples of the published document and for the recordings of priming; tests use them too.
 */
@NullMarked
package io.actiongovernance.functions.samples;

import org.jspecify.annotations.NullMarked;
