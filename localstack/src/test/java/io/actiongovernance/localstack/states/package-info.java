/** Tests of the state machines' runner. */
@NullMarked
package io.actiongovernance.localstack.states;

import org.jspecify.annotations.NullMarked;
