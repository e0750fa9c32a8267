/**
 * Spans of plans and actions, made from their receipts for observers of traces. Nothing here
 * decides or changes anything.
 */
@NullMarked
package io.actiongovernance.trace;

import org.jspecify.annotations.NullMarked;
