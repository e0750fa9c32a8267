/** The CDK app: all resources of a deployment, with their rights. */
@NullMarked
package io.actiongovernance.infra;

import org.jspecify.annotations.NullMarked;
