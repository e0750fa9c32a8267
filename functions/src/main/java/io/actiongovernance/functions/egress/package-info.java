/**
 * Outbound requests to addresses that tenants name: the guard, the client, trusted roots, and
 * redaction of responses.
 */
@NullMarked
package io.actiongovernance.functions.egress;

import org.jspecify.annotations.NullMarked;
