/**
 * Priming before a function's process is stored as a snapshot. It replays recorded invocations, and
 * checks that this build can read the tables' data.
 */
@NullMarked
package io.actiongovernance.functions.priming;

import org.jspecify.annotations.NullMarked;
