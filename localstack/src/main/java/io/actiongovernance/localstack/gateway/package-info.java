/** The stack's HTTP front, which replaces API Gateway. */
@NullMarked
package io.actiongovernance.localstack.gateway;

import org.jspecify.annotations.NullMarked;
