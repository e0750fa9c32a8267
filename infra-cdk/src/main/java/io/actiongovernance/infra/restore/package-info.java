/**
 * Tables as of an earlier second or export: created beside those in use, with the settings that
 * neither restoring nor importing carries over.
 */
@NullMarked
package io.actiongovernance.infra.restore;

import org.jspecify.annotations.NullMarked;
