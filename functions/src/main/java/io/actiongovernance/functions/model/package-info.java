/** Models that propose: their prompts, and the proposals in their answers (contract, section 4). */
@NullMarked
package io.actiongovernance.functions.model;

import org.jspecify.annotations.NullMarked;
