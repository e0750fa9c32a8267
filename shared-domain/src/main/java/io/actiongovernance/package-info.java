/** The rules of the service, put together over their ports. */
@NullMarked
package io.actiongovernance;

import org.jspecify.annotations.NullMarked;
