/**
 * Priming: what a function does before its process is kept as a snapshot. It replays invocations
 * that the build has recorded, and reads whether this build understands what the tables hold.
 */
@NullMarked
package io.actiongovernance.functions.priming;

import org.jspecify.annotations.NullMarked;
