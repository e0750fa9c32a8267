/**
 * The acceptance suite: what the specification and the contract promise, over HTTP. It runs against
 * an embedded stack, or against any deployment that {@code -Dgovernance.base-url} and {@code
 * -Dgovernance.key} name and that reaches this machine's loopback address. A package for each
 * resource or concern; what they share is in {@code fixture}.
 */
@NullMarked
package io.actiongovernance.localstack.acceptance;

import org.jspecify.annotations.NullMarked;
