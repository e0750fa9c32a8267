/** Kills, restarts, injected faults, and the rehearsal of a disaster. */
@NullMarked
package io.actiongovernance.localstack.acceptance.failure;

import org.jspecify.annotations.NullMarked;
