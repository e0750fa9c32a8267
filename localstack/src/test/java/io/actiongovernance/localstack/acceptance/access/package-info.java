/** Who reaches what: keys, scopes, tenants, secrets. */
@NullMarked
package io.actiongovernance.localstack.acceptance.access;

import org.jspecify.annotations.NullMarked;
