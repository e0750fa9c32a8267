/** Handlers of the webhook routes, and the creation of deliveries. */
@NullMarked
package io.actiongovernance.functions.webhook;

import org.jspecify.annotations.NullMarked;
