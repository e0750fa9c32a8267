/**
 * The tools of an operator as agents call them over the Model Context Protocol (contract for
 * agents, section 4): their names, the results of calls, and repeated calls.
 */
@NullMarked
package io.actiongovernance.gateway;

import org.jspecify.annotations.NullMarked;
