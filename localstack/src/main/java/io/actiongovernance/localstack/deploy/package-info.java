/**
 * The service as it is deployed, where something else speaks AWS's protocols: LocalStack, above
 * all.
 */
@NullMarked
package io.actiongovernance.localstack.deploy;

import org.jspecify.annotations.NullMarked;
