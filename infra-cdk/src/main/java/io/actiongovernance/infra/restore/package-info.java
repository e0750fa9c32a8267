/**
 * Tables as of an earlier second or export. They are created next to those in use, with the
 * settings that neither restoring nor importing carries over.
 */
@NullMarked
package io.actiongovernance.infra.restore;

import org.jspecify.annotations.NullMarked;
