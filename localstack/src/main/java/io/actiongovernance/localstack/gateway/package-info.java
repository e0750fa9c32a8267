/** The stack's HTTP front, in place of API Gateway. */
@NullMarked
package io.actiongovernance.localstack.gateway;

import org.jspecify.annotations.NullMarked;
