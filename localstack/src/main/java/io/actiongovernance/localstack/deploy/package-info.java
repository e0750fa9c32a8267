/** Deployment of the service to emulators of AWS, above all LocalStack. */
@NullMarked
package io.actiongovernance.localstack.deploy;

import org.jspecify.annotations.NullMarked;
