/** Actions: what a plan proposes, what became of it, and its undo. */
@NullMarked
package io.actiongovernance.action;

import org.jspecify.annotations.NullMarked;
