/** The deployment, at an endpoint that is not AWS's. */
@NullMarked
package io.actiongovernance.localstack.deploy;

import org.jspecify.annotations.NullMarked;
