/** The proposing side: it only proposes. The kernel does not know this package. */
@NullMarked
package io.actiongovernance.proposer;

import org.jspecify.annotations.NullMarked;
