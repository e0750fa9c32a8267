/** The rules of the service, assembled over their ports. */
@NullMarked
package io.actiongovernance;

import org.jspecify.annotations.NullMarked;
