/** The command line: what it says, and by which code it ends. */
@NullMarked
package io.actiongovernance.localstack.gov;

import org.jspecify.annotations.NullMarked;
