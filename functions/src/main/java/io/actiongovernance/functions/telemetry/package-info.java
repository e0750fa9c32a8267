/** What the functions tell of themselves: metrics, and the identifiers in their logs. */
@NullMarked
package io.actiongovernance.functions.telemetry;

import org.jspecify.annotations.NullMarked;
