/**
 * The tools of an operator as agents call them over the Model Context Protocol: which there are,
 * what a call comes to, and what a call that comes again is (contract for agents, section 4).
 */
@NullMarked
package io.actiongovernance.gateway;

import org.jspecify.annotations.NullMarked;
