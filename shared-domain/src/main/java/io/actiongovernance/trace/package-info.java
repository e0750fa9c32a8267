/**
 * Spans of plans and actions, made of their receipts for those who watch traces. Nothing here
 * decides or changes anything.
 */
@NullMarked
package io.actiongovernance.trace;

import org.jspecify.annotations.NullMarked;
