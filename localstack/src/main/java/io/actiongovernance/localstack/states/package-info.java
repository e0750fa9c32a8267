/** State machines in the Amazon States Language, run on this machine. */
@NullMarked
package io.actiongovernance.localstack.states;

import org.jspecify.annotations.NullMarked;
