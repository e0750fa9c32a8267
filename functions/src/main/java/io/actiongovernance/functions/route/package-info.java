/**
 * The request pipeline: the route table, and what every request goes through before and after its
 * handler.
 */
@NullMarked
package io.actiongovernance.functions.route;

import org.jspecify.annotations.NullMarked;
