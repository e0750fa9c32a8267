/**
 * Tables as of an earlier second: made beside those in use, and given what restoring does not
 * carry.
 */
@NullMarked
package io.actiongovernance.infra.restore;

import org.jspecify.annotations.NullMarked;
