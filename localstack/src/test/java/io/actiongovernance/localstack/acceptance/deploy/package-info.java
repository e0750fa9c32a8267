/** The CDK app, deployed into emulators, and what watches a deployment. */
@NullMarked
package io.actiongovernance.localstack.acceptance.deploy;

import org.jspecify.annotations.NullMarked;
