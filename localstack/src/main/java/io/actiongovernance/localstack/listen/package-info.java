/** Webhook deliveries as an endpoint would get them, made from the lists of the API. */
@NullMarked
package io.actiongovernance.localstack.listen;

import org.jspecify.annotations.NullMarked;
