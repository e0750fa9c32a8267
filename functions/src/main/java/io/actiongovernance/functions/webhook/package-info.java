/** Handlers of the webhook routes, and how deliveries are made. */
@NullMarked
package io.actiongovernance.functions.webhook;

import org.jspecify.annotations.NullMarked;
