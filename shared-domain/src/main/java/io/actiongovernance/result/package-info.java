/** Answers of calls, kept for those who may read them (contract for agents, section 1). */
@NullMarked
package io.actiongovernance.result;

import org.jspecify.annotations.NullMarked;
