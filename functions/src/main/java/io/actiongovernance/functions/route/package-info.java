/** The request pipeline: the route table, and the steps before and after a request's handler. */
@NullMarked
package io.actiongovernance.functions.route;

import org.jspecify.annotations.NullMarked;
