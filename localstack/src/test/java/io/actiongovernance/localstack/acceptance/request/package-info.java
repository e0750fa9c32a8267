/**
 * What holds of every request, whichever route it is for: errors, bad input, idempotency, rate
 * limits.
 */
@NullMarked
package io.actiongovernance.localstack.acceptance.request;

import org.jspecify.annotations.NullMarked;
