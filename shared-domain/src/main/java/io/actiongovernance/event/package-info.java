/** Events: envelopes in one log without gaps for each tenant and mode. */
@NullMarked
package io.actiongovernance.event;

import org.jspecify.annotations.NullMarked;
