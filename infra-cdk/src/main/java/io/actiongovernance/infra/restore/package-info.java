/**
 * Tables as of an earlier second or an earlier export: made beside those in use, and given what
 * neither restoring nor importing carries over.
 */
@NullMarked
package io.actiongovernance.infra.restore;

import org.jspecify.annotations.NullMarked;
