/** Deliveries as a webhook endpoint would get them, made from what the API lists. */
@NullMarked
package io.actiongovernance.localstack.listen;

import org.jspecify.annotations.NullMarked;
