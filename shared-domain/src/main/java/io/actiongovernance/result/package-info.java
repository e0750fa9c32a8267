/** What calls came back with, kept for who may read it (contract for agents, section 1). */
@NullMarked
package io.actiongovernance.result;

import org.jspecify.annotations.NullMarked;
