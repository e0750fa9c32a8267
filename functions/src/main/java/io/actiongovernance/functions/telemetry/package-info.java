/** Data that functions emit about themselves: metrics, and the identifiers in their logs. */
@NullMarked
package io.actiongovernance.functions.telemetry;

import org.jspecify.annotations.NullMarked;
