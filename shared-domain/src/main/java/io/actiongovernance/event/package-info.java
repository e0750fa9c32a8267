/** Events: envelopes in one gap-free log per tenant and mode. */
@NullMarked
package io.actiongovernance.event;

import org.jspecify.annotations.NullMarked;
