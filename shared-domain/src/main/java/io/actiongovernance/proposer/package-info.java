/** The proposing side. It only proposes, and the kernel does not depend on this package. */
@NullMarked
package io.actiongovernance.proposer;

import org.jspecify.annotations.NullMarked;
