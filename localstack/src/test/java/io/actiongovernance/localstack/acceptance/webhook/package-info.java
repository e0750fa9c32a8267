/** Webhook endpoints and their deliveries. */
@NullMarked
package io.actiongovernance.localstack.acceptance.webhook;

import org.jspecify.annotations.NullMarked;
