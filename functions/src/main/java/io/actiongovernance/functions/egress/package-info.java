/**
 * What leaves for places that tenants name: guarded addresses, one client, trusted roots, and the
 * redaction of what comes back.
 */
@NullMarked
package io.actiongovernance.functions.egress;

import org.jspecify.annotations.NullMarked;
