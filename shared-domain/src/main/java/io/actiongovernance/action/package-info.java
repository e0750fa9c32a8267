/** Actions: what a plan proposes, the results, and the undo. */
@NullMarked
package io.actiongovernance.action;

import org.jspecify.annotations.NullMarked;
