/** Webhook endpoints, and the deliveries that are made to them. */
@NullMarked
package io.actiongovernance.webhook;

import org.jspecify.annotations.NullMarked;
