/** Creation of tenants, on this machine and wherever the service is deployed. */
@NullMarked
package io.actiongovernance.localstack.tenant;

import org.jspecify.annotations.NullMarked;
